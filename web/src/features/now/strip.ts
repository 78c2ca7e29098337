import type { Cell } from "../../../../server/contract/share.ts";

/** The share that fills a strip: the same on every tile, so that they compare. */
export const STRIP_TOP = 0.25;

/** Height 0–1 within a strip; a square root lets small shares be seen and keeps their order. */
export function stripHeight(cell: Cell): number {
  if (cell.rate === null) return 0;
  return Math.min(1, Math.sqrt(cell.rate / STRIP_TOP));
}
