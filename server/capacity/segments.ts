import { ceilTo, DAY_MS, floorTo, MINUTE_MS, minutesKeptFrom, QUARTER_MS } from "../rollup/levels.ts";
import type { Level } from "../rollup/queries.ts";

/** A piece [from, to) of a range, read from one rollup level. Epoch milliseconds. */
export interface Segment {
  readonly level: Level;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface ReadPlan {
  /** What is counted, [from, to): as asked, or widened to whole quarter-hours where minutes are gone. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Disjoint, ascending, together the whole of it. */
  readonly segments: readonly Segment[];
}

/**
 * Which rollups to read for a range: quarter-hours, whole days in between when `coarsest` allows it, minutes at
 * edges that do not fall on a quarter. An end in the future is open: it takes in what clocks that run ahead sent.
 */
export function planReading(
  range: { fromMs: number; toMs: number },
  nowMs: number,
  coarsest: "15m" | "1d" = "15m",
): ReadPlan {
  const hasMinutes = (ms: number) => ms >= minutesKeptFrom(nowMs);
  const fromMs = floorTo(range.fromMs, hasMinutes(range.fromMs) ? MINUTE_MS : QUARTER_MS);
  const isOpen = range.toMs >= nowMs;
  const toMs =
    isOpen || !hasMinutes(range.toMs) ? ceilTo(range.toMs, QUARTER_MS) : ceilTo(range.toMs, MINUTE_MS);
  const quartersFrom = Math.min(ceilTo(fromMs, QUARTER_MS), toMs);
  const quartersTo = Math.max(floorTo(toMs, QUARTER_MS), quartersFrom);
  const daysFrom = ceilTo(quartersFrom, DAY_MS);
  const daysTo = floorTo(Math.min(quartersTo, nowMs), DAY_MS);
  const hasDays = coarsest === "1d" && daysFrom < daysTo;
  const pieces: Segment[] = [
    { level: "1m", fromMs, toMs: quartersFrom },
    { level: "15m", fromMs: quartersFrom, toMs: hasDays ? daysFrom : quartersTo },
    { level: "1d", fromMs: hasDays ? daysFrom : 0, toMs: hasDays ? daysTo : 0 },
    { level: "15m", fromMs: hasDays ? daysTo : quartersTo, toMs: quartersTo },
    { level: "1m", fromMs: quartersTo, toMs },
  ];
  return {
    fromMs,
    toMs: isOpen ? range.toMs : toMs,
    segments: pieces.filter((piece) => piece.fromMs < piece.toMs),
  };
}
