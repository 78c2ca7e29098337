import type { Quarter } from "../../profile/day-hours.ts";
import { QUARTER_MS } from "../../rollup/levels.ts";
import { judgeLevel } from "./level.ts";

/** Of a quarter-hour of which nothing can be said. */
export const GAP = -1;
/** Of one in which the team said that it works on it. */
export const MAINTENANCE = 4;

/** Levels of quarter-hours in a row, or `GAP`, or `MAINTENANCE`. */
export interface QuarterLevels {
  /** On the grid of quarter-hours. */
  readonly fromMs: number;
  readonly levels: Int8Array;
}

/** A quarter-hour with too few calls is judged with its hour, and where that is too thin with three hours. */
const BLOCKS_IN_QUARTERS = [1, 4, 12] as const;

/**
 * The level of each quarter-hour of [from, to), from the calls around it alone: what happened on other days does not
 * change it. Where even its three hours (of UTC) had too few calls, it is a gap; and so it is when it had none itself
 * although what is around it can be judged more finely.
 *
 * @param quarters those without calls may be left out
 */
export function judgeQuarters(quarters: readonly Quarter[], fromMs: number, toMs: number): QuarterLevels {
  const count = Math.max(0, Math.ceil((toMs - fromMs) / QUARTER_MS));
  const levels = new Int8Array(count).fill(GAP);
  const first = Math.floor(fromMs / QUARTER_MS);
  const called = new Set(quarters.flatMap(({ startMs, n }) => (n > 0 ? [startMs / QUARTER_MS - first] : [])));
  for (const length of BLOCKS_IN_QUARTERS) {
    for (const [block, { k, n }] of sumBlocks(quarters, length)) {
      const level = judgeLevel(k, n);
      if (level === null) continue;
      const [from, to] = [Math.max(0, block * length - first), Math.min(count, (block + 1) * length - first)];
      const isFinest = levels.subarray(from, Math.max(from, to)).every((one) => one === GAP);
      for (let at = from; at < to; at++)
        if (levels[at] === GAP && (isFinest || called.has(at))) levels[at] = level;
    }
  }
  return { fromMs: first * QUARTER_MS, levels };
}

function sumBlocks(quarters: readonly Quarter[], length: number): Map<number, { k: number; n: number }> {
  const sums = new Map<number, { k: number; n: number }>();
  for (const { startMs, k, n } of quarters) {
    const block = Math.floor(startMs / QUARTER_MS / length);
    const sum = sums.get(block);
    if (sum === undefined) sums.set(block, { k, n });
    else {
      sum.k += k;
      sum.n += n;
    }
  }
  return sums;
}

/** Quarter-hours that follow upon others; where these begin too early, what they say first is left out. */
export function continueLevels(before: QuarterLevels, after: QuarterLevels): QuarterLevels {
  const length = Math.round((after.fromMs - before.fromMs) / QUARTER_MS);
  const levels = new Int8Array(length + after.levels.length).fill(GAP);
  levels.set(before.levels.subarray(0, length));
  levels.set(after.levels, length);
  return { fromMs: before.fromMs, levels };
}

/** A stretch about which the team said something. */
export interface SaidStretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** A level, or `MAINTENANCE`. */
  readonly level: number;
}

/** Lays what the team said over what was measured: the worse of the two, and maintenance over all but that. */
export function overlay({ fromMs, levels }: QuarterLevels, said: readonly SaidStretch[]): QuarterLevels {
  if (said.length === 0) return { fromMs, levels };
  const laid = Int8Array.from(levels);
  for (const stretch of said) {
    const from = Math.max(0, Math.floor((stretch.fromMs - fromMs) / QUARTER_MS));
    const to = Math.min(laid.length, Math.ceil((stretch.toMs - fromMs) / QUARTER_MS));
    for (let at = from; at < to; at++) laid[at] = Math.max(laid[at] ?? GAP, stretch.level);
  }
  return { fromMs, levels: laid };
}
