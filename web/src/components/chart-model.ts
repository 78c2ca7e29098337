import type { Formats } from "../messages/formats.ts";

/** What a chart draws: made by pure functions, drawn by `Chart` alone. */
export interface ChartModel {
  readonly kind: "bars" | "lines";
  /** One per bucket, already in the zone's words. */
  readonly labels: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly unit: "count" | "share" | "milliseconds";
  /** From this bucket on it is not over; -1 when all are. */
  readonly openFrom: number;
}

export interface ChartSeries {
  readonly name: string;
  /** Name of a colour token, like `--line-1`. */
  readonly color: string;
  /** `null` is a gap, and stays one. */
  readonly values: readonly (number | null)[];
  /** Of another time, to compare with. */
  readonly isEarlier?: boolean;
}

/** How its values are told. */
export function formatOf({ unit }: Pick<ChartModel, "unit">, formats: Formats): (value: number) => string {
  if (unit === "share") return formats.share;
  return unit === "milliseconds" ? formats.milliseconds : formats.count;
}
