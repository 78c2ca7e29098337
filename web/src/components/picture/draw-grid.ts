import { cellLook } from "../cell.ts";
import type { GridCell, GridModel } from "../grid-model.ts";
import { type Drawing, drawText, type Token } from "./picture.ts";

const HEAD_WIDTH = 88;
const HEAD_HEIGHT = 22;
const CELL_WIDTH = 36;
const GAP = 2;
const LEGEND_HEIGHT = 30;
const STEPS = 7;

/** The grid as it is on the screen: the same looks, the hour that it is now framed, and what the looks mean. */
export function drawGrid(
  { columns, rows }: GridModel,
  legend: readonly string[],
  format: (rate: number) => string,
  token: Token,
): Drawing {
  const cellHeight = rows.length > 14 ? 18 : 30;
  const parts = [drawPatterns(token)];
  const soft = token("--ink-soft");
  const left = (column: number) => HEAD_WIDTH + column * (CELL_WIDTH + GAP);
  const top = (row: number) => HEAD_HEIGHT + row * (cellHeight + GAP);
  for (const [i, { label }] of columns.entries()) {
    parts.push(drawText(left(i) + CELL_WIDTH / 2, HEAD_HEIGHT - 7, label, { fill: soft, anchor: "middle" }));
  }
  for (const [i, { label, cells }] of rows.entries()) {
    parts.push(drawText(0, top(i) + cellHeight / 2 + 4, label, { fill: soft }));
    for (const [j, cell] of cells.entries()) {
      if (cell === null) continue;
      parts.push(drawCell(cell, left(j), top(i), cellHeight, token));
      const { rate } = cell.cell;
      if (rate !== null && cellHeight > 20) {
        const look = cellLook(cell.cell);
        const at = [left(j) + CELL_WIDTH / 2, top(i) + cellHeight / 2 + 4] as const;
        parts.push(drawText(...at, format(rate), { size: 10, fill: inkOn(look, token), anchor: "middle" }));
      }
    }
  }
  const height = top(rows.length) + LEGEND_HEIGHT;
  parts.push(drawLegend(legend, height - 18, token));
  return { width: left(columns.length), height, svg: parts.join("") };
}

function drawCell(cell: GridCell, x: number, y: number, height: number, token: Token): string {
  const box = `x="${x}" y="${y}" width="${CELL_WIDTH}" height="${height}" rx="2"`;
  const now = cell.isNow ? `<rect ${box} fill="none" stroke="${token("--ink")}" stroke-width="2"/>` : "";
  return paint(cellLook(cell.cell), box, token) + now;
}

/** A box with a look. */
function paint(look: string, box: string, token: Token): string {
  if (look === "none") return `<rect ${box} fill="url(#none)"/>`;
  if (look === "few")
    return `<rect ${box} fill="none" stroke="${token("--few-edge")}" stroke-dasharray="1 2"/>`;
  const grain = look === "5" || look === "6" ? `<rect ${box} fill="url(#grain-${look})"/>` : "";
  return `<rect ${box} fill="${token(`--heat-${look}`)}"/>${grain}`;
}

function inkOn(look: string, token: Token): string {
  if (look === "few" || look === "0" || look === "1") return token("--ink-soft");
  return token(Number(look) < 4 ? "--heat-ink-low" : `--heat-ink-${look}`);
}

function drawPatterns(token: Token): string {
  const lines = (id: string, color: string, every: number, path: string) =>
    `<pattern id="${id}" width="${every}" height="${every}" patternUnits="userSpaceOnUse"><path d="${path}" stroke="${color}" fill="none"/></pattern>`;
  return [
    "<defs>",
    lines("none", token("--rule-strong"), 7, "M-1 8 8-1"),
    lines("grain-5", token("--heat-grain-5"), 6, "M-1 7 7-1"),
    lines("grain-6", token("--heat-grain-6"), 5, "M-1 6 6-1M-1-1 6 6"),
    "</defs>",
  ].join("");
}

/** Texts of the seven steps, then of few and of none. */
function drawLegend(texts: readonly string[], y: number, token: Token): string {
  let x = 0;
  return texts
    .map((text, i) => {
      const look = i < STEPS ? String(i) : i === STEPS ? "few" : "none";
      const box = `x="${x}" y="${y}" width="14" height="14" rx="2"`;
      const edge =
        look === "0"
          ? `<rect ${box} fill="none" stroke="${token("--rule-strong")}" stroke-width="0.5"/>`
          : "";
      const part =
        paint(look, box, token) + edge + drawText(x + 19, y + 11, text, { fill: token("--ink-soft") });
      x += 19 + widthOf(text) + 16;
      return part;
    })
    .join("");
}

/** About so wide at 11 px; ideographs take a square. */
export function widthOf(text: string): number {
  return [...text].reduce((sum, sign) => sum + (sign > "\u2e7f" ? 11 : 5.8), 0);
}
