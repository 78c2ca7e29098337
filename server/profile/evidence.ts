import { type DayHour, HOURS } from "./day-hours.ts";
import { correlationWithin, weightPerCall } from "./dispersion.ts";

/** A day hour with what was to be expected of it, had its day been alike at all hours. */
export interface WeighedHour extends DayHour {
  /** Share of its day and the days around it. */
  readonly dayLevel: number;
  /** What each of its calls weighs. */
  readonly weight: number;
}

export interface Evidence {
  readonly hours: readonly WeighedHour[];
  /** Share over all hours, with the same half-life. */
  readonly level: number;
  /** How alike calls of one hour of one day are. */
  readonly correlation: number;
}

/** After so many weeks a call weighs half. */
const HALF_LIFE_WEEKS = 2;
const DAYS_AROUND = 1;
/** A day's level is drawn toward the level of all days as if these calls had been made at it. */
const LEVEL_CALLS = 50;
/** Half a failure in ten calls: what is said of a model that was never called. */
const PRIOR_ERRORS = 0.5;
const PRIOR_CALLS = 10;

/** What a call of `day` weighs beside one of `endDay`. */
export function decayOf(day: number, endDay: number, halfLifeWeeks = HALF_LIFE_WEEKS): number {
  return 2 ** (-(endDay - day) / (7 * halfLifeWeeks));
}

/**
 * Weighs day hours as evidence of when, within a day, a target is short.
 *
 * Three things keep a few bad days from deciding for all: old calls weigh less; an hour's calls weigh as many as they
 * are worth, being alike; and each hour is held against its own days' level, by whose root it is weighed, so that a day
 * that was bad throughout says nothing of hours.
 *
 * @see docs/formulas.md#effective-calls
 */
export function weighEvidence(hours: readonly DayHour[], endDay: number): Evidence {
  const days = sumDays(hours);
  let errors = PRIOR_ERRORS;
  let calls = PRIOR_CALLS;
  for (const [day, { k, n }] of days) {
    errors += k * decayOf(day, endDay);
    calls += n * decayOf(day, endDay);
  }
  const level = errors / calls;
  const levels = new Map([...days.keys()].map((day) => [day, levelAround(days, day, level)]));
  const levelOf = (day: number) => levels.get(day) ?? level;
  const correlation = correlationWithin(
    hours.map(({ day, k, n }) => ({ k, n, expected: levelOf(day) })),
    0.05,
  );
  const weighed = hours.map((hour) => {
    const dayLevel = levelOf(hour.day);
    const weight =
      decayOf(hour.day, endDay) * weightPerCall(hour.n, correlation) * Math.sqrt(level / dayLevel);
    return { ...hour, dayLevel, weight };
  });
  return { hours: weighed, level, correlation };
}

interface Sums {
  k: number;
  n: number;
}

function sumDays(hours: readonly DayHour[]): Map<number, Sums> {
  const days = new Map<number, Sums>();
  for (const { day, k, n } of hours) {
    const sums = days.get(day) ?? { k: 0, n: 0 };
    sums.k += k;
    sums.n += n;
    days.set(day, sums);
  }
  return days;
}

function levelAround(days: ReadonlyMap<number, Sums>, day: number, level: number): number {
  let k = level * LEVEL_CALLS;
  let n = LEVEL_CALLS;
  for (let other = day - DAYS_AROUND; other <= day + DAYS_AROUND; other++) {
    k += days.get(other)?.k ?? 0;
    n += days.get(other)?.n ?? 0;
  }
  return k / n;
}

/** What a target showed by hour of day, against what its days' levels expected; in effective errors. */
export interface HourShape {
  readonly errors: readonly number[];
  readonly expected: readonly number[];
}

export function shapeOf(hours: readonly WeighedHour[]): HourShape {
  const errors = new Array<number>(HOURS).fill(0);
  const expected = new Array<number>(HOURS).fill(0);
  for (const { hour, k, n, dayLevel, weight } of hours) {
    errors[hour] = (errors[hour] ?? 0) + k * weight;
    expected[hour] = (expected[hour] ?? 0) + n * weight * dayLevel;
  }
  return { errors, expected };
}

/** Hours on both sides that take part in an hour's estimate, the nearest first. */
const KERNEL = [1, 0.6, 0.2] as const;

/** Sums over an hour and its neighbours on a ring. */
export function withNeighbours(values: readonly number[]): number[] {
  const { length } = values;
  return values.map((_, at) => {
    let sum = 0;
    for (let step = 1 - KERNEL.length; step < KERNEL.length; step++) {
      sum += (KERNEL[Math.abs(step)] ?? 0) * (values[(at + step + length) % length] ?? 0);
    }
    return sum;
  });
}
