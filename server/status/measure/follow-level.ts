import { MINUTE_MS } from "../../rollup/levels.ts";
import { AVAILABLE, BUSY, judgeLevel, judgeNext, type Level, VERY_BUSY } from "./level.ts";

/** Calls of five minutes: k of n got no answer. */
export interface Slot {
  /** On the grid of five minutes. */
  readonly startMs: number;
  readonly k: number;
  readonly n: number;
}

export interface Followed {
  /** The last level that was seen; 0 before the first. */
  readonly level: Level;
  /** Too few calls to say how it is now. */
  readonly isThin: boolean;
  /** Since when level and thinness are as they are; `null`: from the first slot on. */
  readonly sinceMs: number | null;
}

export const SLOT_MS = 5 * MINUTE_MS;
/** Looks back as far as it takes to have enough calls: 10, 30 minutes, one hour, three. */
const WINDOWS_IN_SLOTS = [2, 6, 12, 36] as const;
const LONGEST = 36;
/** What is bad shows in few calls. A few in a hundred do not: for these it looks back to so many calls, an hour at most. */
const CALLS_FOR_BUSY = 200;
const LONGEST_FOR_BUSY = 12;
/** Fewer calls than this in three hours are too few even where there were enough a moment ago. */
const STAYS_ENOUGH = 12;
/** Slots in a row that a change must be seen in. What is bad is told at once, a return only when it lasts. */
const WORSE_AFTER = 2;
const MUCH_WORSE_AFTER = 1;
const BETTER_AFTER = 3;

/**
 * How a component does after the last of these slots, without flickering: a level begins at one share and ends below a
 * lower one, and no change is told that one slot alone shows, unless it is a bad one.
 *
 * @param slots ascending; those without calls may be left out
 * @param fromMs and `toMs`: [from, to) on the grid
 * @see docs/status-page.md#words
 */
export function followLevel(slots: readonly Slot[], fromMs: number, toMs: number): Followed {
  const sums = prefixSums(slots, fromMs, toMs);
  let level: Level = AVAILABLE;
  let isThin = true;
  let sinceMs: number | null = null;
  let wanted: Level = AVAILABLE;
  let seen = 0;
  // Where it got better: what was before no longer speaks of now.
  let betterFrom = 0;
  for (let at = 1; at < sums.length; at++) {
    const endMs = fromMs + at * SLOT_MS;
    const window = chooseWindow(sums, at);
    if (window === null) {
      if (!isThin && lastOf(sums, at, LONGEST).n < STAYS_ENOUGH) [isThin, sinceMs] = [true, endMs];
      seen = 0;
      continue;
    }
    if (isThin) {
      level = judgeLevel(window.k, window.n) ?? AVAILABLE;
      [isThin, sinceMs, seen] = [false, endMs, 0];
      continue;
    }
    const next = judgeWindows(level, window, chooseForBusy(sums, at, betterFrom));
    if (next === level) {
      seen = 0;
      continue;
    }
    // On the way up a slot that shows even more counts for less; on the way down likewise.
    const isSameWay: boolean = seen > 0 && next > level === wanted > level;
    seen = isSameWay ? seen + 1 : 1;
    wanted = isSameWay ? closer(level, next, wanted) : next;
    const needed = wanted < level ? BETTER_AFTER : wanted >= VERY_BUSY ? MUCH_WORSE_AFTER : WORSE_AFTER;
    if (seen < needed) continue;
    if (wanted < level) betterFrom = at - seen;
    [level, sinceMs, seen] = [wanted, endMs, 0];
  }
  return { level, isThin, sinceMs };
}

interface Sum {
  readonly k: number;
  readonly n: number;
}

/** Sums of all slots before each point of the grid. */
function prefixSums(slots: readonly Slot[], fromMs: number, toMs: number): Sum[] {
  const count = Math.max(0, Math.floor((toMs - fromMs) / SLOT_MS));
  const ks = new Float64Array(count);
  const ns = new Float64Array(count);
  for (const { startMs, k, n } of slots) {
    const at = Math.floor((startMs - fromMs) / SLOT_MS);
    if (at < 0 || at >= count) continue;
    ks[at] = (ks[at] ?? 0) + k;
    ns[at] = (ns[at] ?? 0) + n;
  }
  const sums: Sum[] = [{ k: 0, n: 0 }];
  for (let at = 0; at < count; at++) {
    const before = sums[at] as Sum;
    sums.push({ k: before.k + (ks[at] ?? 0), n: before.n + (ns[at] ?? 0) });
  }
  return sums;
}

function lastOf(sums: readonly Sum[], at: number, length: number): Sum {
  const end = sums[at] as Sum;
  const start = sums[Math.max(0, at - length)] as Sum;
  return { k: end.k - start.k, n: end.n - start.n };
}

/** The shortest look back that has enough calls; `null`: none has. */
function chooseWindow(sums: readonly Sum[], at: number): Sum | null {
  for (const length of WINDOWS_IN_SLOTS) {
    const sum = lastOf(sums, at, length);
    if (judgeLevel(sum.k, sum.n) !== null) return sum;
  }
  return null;
}

function chooseForBusy(sums: readonly Sum[], at: number, notBefore: number): Sum {
  const furthest = Math.min(LONGEST_FOR_BUSY, at - notBefore);
  for (const length of WINDOWS_IN_SLOTS) {
    const sum = lastOf(sums, at, length);
    if (length < furthest && sum.n >= CALLS_FOR_BUSY) return sum;
  }
  return lastOf(sums, at, furthest);
}

/** What is bad by the short look back, all else by the long one, or by the short one where that is too thin. */
function judgeWindows(level: Level, short: Sum, long: Sum): Level {
  const bad: Level = judgeNext(level, short.k, short.n) ?? level;
  if (bad >= VERY_BUSY) return bad;
  const mild: Level = judgeNext(level < BUSY ? level : BUSY, long.k, long.n) ?? bad;
  return mild > BUSY ? BUSY : mild;
}

function closer(level: Level, one: Level, other: Level): Level {
  return Math.abs(one - level) < Math.abs(other - level) ? one : other;
}
