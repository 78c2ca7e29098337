import type { Cell, CountKind, HeatmapCell, Point } from "../../../../server/contract/share.ts";
import { hourOfWeekAt } from "../../time/zone.ts";

/** One hour of a strip: what was measured, over what is usual at this hour of the week. */
export interface StripHour {
  readonly startMs: number;
  readonly measured: Cell;
  readonly usual: Cell | null;
  /** The hour is not over: what it shows will change. */
  readonly isOpen: boolean;
}

/** The last 24 hours of a series by the hour, each beside its usual share. */
export function toStrip(
  points: readonly Point[],
  usual: readonly HeatmapCell[] | undefined,
  zone: string,
  count: CountKind,
): StripHour[] {
  return points.slice(-24).map((point) => {
    const startMs = Date.parse(point.start);
    return {
      startMs,
      measured: count === "attempts" ? point.capacity : point.requestCapacity,
      usual: usual?.[hourOfWeekAt(startMs, zone)] ?? null,
      isOpen: point.isOpen,
    };
  });
}

/** The share that fills a strip: the same on every tile, so that they compare. */
export const STRIP_TOP = 0.25;

/** Height 0–1 within a strip; a square root lets small shares be seen and keeps their order. */
export function stripHeight(cell: Cell | null): number {
  if (cell === null || cell.rate === null) return 0;
  return Math.min(1, Math.sqrt(cell.rate / STRIP_TOP));
}
