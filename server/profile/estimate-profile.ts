import { type DayHour, HOURS, WEEK_HOURS, weekdayOf } from "./day-hours.ts";
import { pseudoErrors, type Seen, shrunkRatio } from "./dispersion.ts";
import { decayOf, type Evidence, shapeOf, weighEvidence, withNeighbours } from "./evidence.ts";
import { hourRatios } from "./hour-ratios.ts";
import { sum } from "./sum.ts";

/** What is usual of one target, by hour of week: 0 = Monday 00:00 on the wall. */
export interface Profile {
  /** Expected share, 168 values within (0, 1). */
  readonly rates: readonly number[];
  /** How many of the calls fall on each hour of the week; they sum to 1. What shares of longer times are weighed by. */
  readonly traffic: readonly number[];
  /** Calls seen, by hour of week. */
  readonly calls: readonly number[];
}

const MOST_RATE = 0.98;
const LEAST_RATE = 1e-5;
/** Next week's level is that of the last days rather than that of months. */
const LEVEL_HALF_LIFE_WEEKS = 1.5;
/** Weekdays or weekends are alike as if these days had shown it. */
const ALIKE_DAYS = 4;
/** Pseudo-errors under which an hour of one day of the week never differs from the same hour of other days. */
const LEAST_PSEUDO = 3;

/**
 * The usual share by hour of week, from day hours before `endDay`.
 *
 * Each level says what the next finer one is expected to show, and is corrected by what that one did show, as far as
 * there is evidence: the level → hour of day, helped by the same model at other endpoints → weekday or weekend → these
 * by hour of day → hour of week. Neighbouring hours take part everywhere.
 *
 * @param siblings ratios by hour of day of the model's other endpoints, see `siblingRatios`
 * @see docs/formulas.md#profile
 */
export function estimateProfile(
  hours: readonly DayHour[],
  endDay: number,
  siblings: readonly number[] | null = null,
  evidence: Evidence = weighEvidence(hours, endDay),
): Profile {
  const ratios = hourRatios(shapeOf(evidence.hours), siblings);
  const smooth = Array.from({ length: WEEK_HOURS }, (_, at) => ratios[at % HOURS] ?? 1);
  // Neighbours round edges off; where there is evidence that an edge is sharp, it is.
  const byHour = correct(smooth, evidence, (at) => at % HOURS, { alone: true });
  const byKind = correct(byHour, evidence, (at) => (isWeekend(at) ? HOURS : 0) + (at % HOURS));
  const kinds = kindRatios(hours, byKind, endDay, evidence.level);
  const withKinds = byKind.map((ratio, at) => ratio * (kinds[isWeekend(at) ? 1 : 0] ?? 1));
  const shape = correct(withKinds, evidence, (at) => at, { againstAll: true });
  const calls = countCalls(hours);
  const level = levelBy(hours, shape, endDay, evidence.level);
  return {
    rates: shape.map((ratio) => Math.min(MOST_RATE, Math.max(LEAST_RATE, ratio * level))),
    calls,
    traffic: expectTraffic(calls),
  };
}

/**
 * Corrects ratios by groups of hours of the week, with neighbours unless `alone`; against the level of each hour's own
 * days, or `againstAll` against that of all.
 */
function correct(
  ratios: readonly number[],
  { hours, level }: Evidence,
  groupOf: (hourOfWeek: number) => number,
  { alone = false, againstAll = false }: { alone?: boolean; againstAll?: boolean } = {},
): number[] {
  const errors: number[] = [];
  const expected: number[] = [];
  for (const { day, hour, k, n, dayLevel, weight } of hours) {
    const at = weekdayOf(day) * HOURS + hour;
    const group = groupOf(at);
    const base = againstAll ? level : dayLevel;
    errors[group] = (errors[group] ?? 0) + k * weight;
    expected[group] = (expected[group] ?? 0) + n * weight * base * (ratios[at] ?? 1);
  }
  const groups = 1 + Math.max(...ratios.map((_, at) => groupOf(at)));
  const seen = Array.from({ length: groups }, (_, group): Seen => {
    return { errors: errors[group] ?? 0, expected: expected[group] ?? 0 };
  });
  const pseudo = Math.max(LEAST_PSEUDO, pseudoErrors(seen));
  const smooth = alone ? seen : smoothRings(seen);
  return ratios.map((ratio, at) => ratio * shrunkRatio(smooth[groupOf(at)] as Seen, pseudo));
}

/** Adds neighbours on their ring: 24 hours of a kind of day, or the 168 of a week. */
function smoothRings(seen: readonly Seen[]): Seen[] {
  const length = seen.length === WEEK_HOURS ? WEEK_HOURS : HOURS;
  return seen.flatMap((_, from) => {
    if (from % length !== 0) return [];
    const ring = seen.slice(from, from + length);
    const errors = withNeighbours(ring.map((one) => one.errors));
    const expected = withNeighbours(ring.map((one) => one.expected));
    return errors.map((value, i) => ({ errors: value, expected: expected[i] ?? 0 }));
  });
}

/** Level of weekdays and of weekends over the level of all days, each day counting once, however many calls it had. */
function kindRatios(
  hours: readonly DayHour[],
  ratios: readonly number[],
  endDay: number,
  level: number,
): [number, number] {
  const days = new Map<number, { errors: number; expected: number }>();
  for (const { day, hour, k, n } of hours) {
    const sums = days.get(day) ?? { errors: 0, expected: 0 };
    sums.errors += k;
    sums.expected += n * level * (ratios[weekdayOf(day) * HOURS + hour] ?? 1);
    days.set(day, sums);
  }
  const total = [ALIKE_DAYS, ALIKE_DAYS];
  const weight = [ALIKE_DAYS, ALIKE_DAYS];
  for (const [day, { errors, expected }] of days) {
    const kind = weekdayOf(day) >= 5 ? 1 : 0;
    const decay = decayOf(day, endDay);
    total[kind] = (total[kind] ?? 0) + decay * ((errors + 1) / (expected + 1));
    weight[kind] = (weight[kind] ?? 0) + decay;
  }
  return [(total[0] ?? 1) / (weight[0] ?? 1), (total[1] ?? 1) / (weight[1] ?? 1)];
}

/** The level by which the shape explains the last days' errors. */
function levelBy(hours: readonly DayHour[], shape: readonly number[], endDay: number, level: number): number {
  let errors = 1;
  let expected = 1;
  for (const { day, hour, k, n } of hours) {
    const decay = decayOf(day, endDay, LEVEL_HALF_LIFE_WEEKS);
    errors += decay * k;
    expected += decay * n * level * (shape[weekdayOf(day) * HOURS + hour] ?? 1);
  }
  return (level * errors) / expected;
}

function countCalls(hours: readonly DayHour[]): number[] {
  const calls = new Array<number>(WEEK_HOURS).fill(0);
  for (const { day, hour, n } of hours) {
    const at = weekdayOf(day) * HOURS + hour;
    calls[at] = (calls[at] ?? 0) + n;
  }
  return calls;
}

/** An hour that was never called is expected to be called a little: its rate must count in a window's. */
function expectTraffic(calls: readonly number[]): number[] {
  const total = sum(calls);
  const byHour = new Array<number>(HOURS).fill(0);
  calls.forEach((n, at) => {
    byHour[at % HOURS] = (byHour[at % HOURS] ?? 0) + n;
  });
  const weights = calls.map((n, at) => n + (byHour[at % HOURS] ?? 0) / 14 + total / WEEK_HOURS / 10 + 1e-9);
  const all = sum(weights);
  return weights.map((weight) => weight / all);
}

function isWeekend(hourOfWeek: number): boolean {
  return hourOfWeek >= 5 * HOURS;
}
