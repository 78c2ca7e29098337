import type { ChartModel } from "../chart-model.ts";
import type { GridModel } from "../grid-model.ts";

/** What a panel draws, for a file of its own. */
export type Picture = (
  | { readonly kind: "grid"; readonly grid: GridModel; readonly legend: readonly string[] }
  | { readonly kind: "chart"; readonly model: ChartModel; readonly format: (value: number) => string }
) & {
  /** Range, bucket and zone. */
  readonly note: string;
  /** Calls that it is made of, in words. */
  readonly basis: string;
};

/** Resolves a name like `--ink` to a colour: a file has no style sheet. */
export type Token = (name: string) => string;

/** A drawing without its frame. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly svg: string;
}

export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

export interface TextStyle {
  readonly size?: number;
  readonly fill?: string;
  readonly anchor?: "start" | "middle" | "end";
  readonly weight?: number;
}

export function drawText(
  x: number,
  y: number,
  text: string,
  { size = 11, fill, anchor = "start", weight }: TextStyle,
): string {
  const attributes = [
    `x="${round(x)}" y="${round(y)}" font-size="${size}" text-anchor="${anchor}"`,
    fill === undefined ? "" : `fill="${fill}"`,
    weight === undefined ? "" : `font-weight="${weight}"`,
  ];
  return `<text ${attributes.filter((part) => part !== "").join(" ")}>${escapeXml(text)}</text>`;
}

export const round = (value: number) => Number(value.toFixed(2));
