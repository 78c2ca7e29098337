import {
  ceilTo,
  floorTo,
  GRAINS,
  type Level,
  MINUTE_MS,
  minutesKeptFrom,
  QUARTER_MS,
} from "../rollup/levels.ts";

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
 * Which rollups to read for a range: the coarsest that `coarsest` allows in the middle, finer ones towards edges that
 * do not fall on its grid. An end in the future is open: it takes in what clocks that run ahead sent.
 */
export function planReading(
  range: { fromMs: number; toMs: number },
  nowMs: number,
  coarsest: Exclude<Level, "1m"> = "15m",
): ReadPlan {
  const hasMinutes = (ms: number) => ms >= minutesKeptFrom(nowMs);
  const fromMs = floorTo(range.fromMs, hasMinutes(range.fromMs) ? MINUTE_MS : QUARTER_MS);
  const isOpen = range.toMs >= nowMs;
  const toMs =
    isOpen || !hasMinutes(range.toMs) ? ceilTo(range.toMs, QUARTER_MS) : ceilTo(range.toMs, MINUTE_MS);
  const grains = GRAINS.slice(0, GRAINS.findIndex(({ level }) => level === coarsest) + 1);
  return {
    fromMs,
    toMs: isOpen ? range.toMs : toMs,
    segments: cover(fromMs, toMs, grains, nowMs),
  };
}

/** Covers [fromMs, toMs) by the coarsest grain as far as whole buckets go, and by finer ones around that. */
function cover(
  fromMs: number,
  toMs: number,
  grains: readonly (typeof GRAINS)[number][],
  nowMs: number,
): Segment[] {
  const coarsest = grains.at(-1);
  if (fromMs >= toMs || coarsest === undefined) return [];
  const { level, lengthMs } = coarsest;
  const finer = grains.slice(0, -1);
  // A day has a rollup of its own when it is over.
  const endMs = level === "1d" ? Math.min(toMs, nowMs) : toMs;
  const [innerFromMs, innerToMs] = [ceilTo(fromMs, lengthMs), floorTo(endMs, lengthMs)];
  if (innerFromMs >= innerToMs) return cover(fromMs, toMs, finer, nowMs);
  return [
    ...cover(fromMs, innerFromMs, finer, nowMs),
    { level, fromMs: innerFromMs, toMs: innerToMs },
    ...cover(innerToMs, toMs, finer, nowMs),
  ];
}
