import { ENOUGH_CALLS, wilsonInterval } from "../../capacity/cell.ts";

/**
 * How well a component answers, as a number so that the worse of two is the larger: 0 available, 1 busy, 2 very busy,
 * 3 unavailable.
 */
export type Level = 0 | 1 | 2 | 3;
export const AVAILABLE = 0;
export const BUSY = 1;
export const VERY_BUSY = 2;
export const UNAVAILABLE = 3;

/** From which share of calls without an answer a level begins, and what the lower end of its interval must reach. */
const BEGINS: readonly { readonly level: Level; readonly share: number; readonly low: number }[] = [
  { level: UNAVAILABLE, share: 0.5, low: 0.35 },
  { level: VERY_BUSY, share: 0.1, low: 0.05 },
  { level: BUSY, share: 0.02, low: 0.01 },
];
/** A level ends below so much of the share at which it begins. */
const ENDS_BELOW = 0.6;

/**
 * The level that so many calls without an answer show by themselves.
 *
 * @returns `null`: too few calls
 * @see docs/status-page.md#words
 */
export function judgeLevel(k: number, n: number): Level | null {
  if (n < ENOUGH_CALLS) return null;
  const { low } = wilsonInterval(k, n);
  return BEGINS.find((begin) => k / n >= begin.share && low >= begin.low)?.level ?? AVAILABLE;
}

/** The same of a component that is at a level already: what ends it lies below what begins it. */
export function judgeNext(current: Level, k: number, n: number): Level | null {
  const plain = judgeLevel(k, n);
  if (plain === null || plain >= current) return plain;
  const held = BEGINS.find(({ level, share }) => level <= current && k / n >= share * ENDS_BELOW);
  return held === undefined || held.level < plain ? plain : held.level;
}

/** The level that begins at this share: of what is usual, where the number of calls is judged elsewhere. */
export function levelOfShare(share: number): Level {
  return BEGINS.find((begin) => share >= begin.share)?.level ?? AVAILABLE;
}
