import { HOURS } from "./day-hours.ts";
import { type Evidence, type HourShape, shapeOf, type WeighedHour } from "./evidence.ts";
import { hourRatios } from "./hour-ratios.ts";

/** Whether the hours of days that an estimate had not seen were as it said. */
export interface Repeatability {
  /** Gain of the left-out days in log likelihood over its own spread; about normal where there is no pattern. */
  readonly score: number;
  /** Of the last weeks, each held against the time before it: how many the pattern explained better than none. */
  readonly weeksWon: number;
  readonly weeksHeld: number;
  readonly repeats: boolean;
}

/** One in ten targets without a pattern scores as much. */
const LEAST_SCORE = 1.28;
const WEEKS = 4;
/** Days beside a left-out day that are left out with it: a bad night is one event on two dates. */
const MARGIN_DAYS = 1;
/** What rounding makes of hours that are all alike. */
const NOTHING = 1e-9;

/**
 * Decides whether a target's hours repeat, by its own days in turn.
 *
 * For each day the hour ratios are made of the other days, and asked which of the day's hours its errors fell on. Its
 * level does not matter, so a bad week proves nothing: only when errors come, not how many. Besides, most of the last
 * weeks must have been told by the time before them, since a pattern that has ended is none.
 *
 * @see docs/formulas.md#repeatability
 */
export function judgeRepeatability(
  { hours }: Evidence,
  endDay: number,
  siblings: readonly number[] | null,
): Repeatability {
  const days = groupByDay(hours);
  const all = [...days.entries()].sort(([a], [b]) => a - b);
  const shapes = all.map(([, ofDay]) => shapeOf(ofDay));
  const leftOut: number[] = [];
  const weeks = new Array<number | null>(WEEKS).fill(null);
  all.forEach(([day, ofDay], at) => {
    const others = shapes.filter((_, i) => Math.abs((all[i]?.[0] ?? 0) - day) > MARGIN_DAYS);
    if (others.length > 0) leftOut.push(gainOf(ofDay, hourRatios(sumShapes(others), siblings)));
    const week = Math.floor((endDay - 1 - day) / 7);
    if (week < 0 || week >= WEEKS || at === 0) return;
    const told = gainOf(ofDay, hourRatios(sumShapes(shapes.slice(0, at)), siblings));
    weeks[week] = (weeks[week] ?? 0) + told;
  });
  const held = weeks.filter((gain) => gain !== null);
  const weeksWon = held.filter((gain) => gain > NOTHING).length;
  const score = toScore(leftOut);
  return {
    score,
    weeksWon,
    weeksHeld: held.length,
    repeats: score >= LEAST_SCORE && weeksWon * 2 >= held.length && weeksWon > 0,
  };
}

/** Sum over its spread were the mean 0: one day that counts for all of it makes 1. */
function toScore(gains: readonly number[]): number {
  const squares = gains.reduce((sum, gain) => sum + gain * gain, 0);
  return squares < NOTHING ? 0 : gains.reduce((sum, gain) => sum + gain, 0) / Math.sqrt(squares);
}

/**
 * How much likelier the day's errors fell on the hours that they fell on by these ratios than with all hours alike:
 * log likelihood, given their number.
 */
function gainOf(day: readonly WeighedHour[], ratios: readonly number[]): number {
  let calls = 0;
  let weighed = 0;
  for (const { hour, n, weight } of day) {
    calls += n * weight;
    weighed += n * weight * (ratios[hour] ?? 1);
  }
  if (calls === 0) return 0;
  const mean = weighed / calls;
  return day.reduce(
    (gain, { hour, k, weight }) => gain + k * weight * Math.log((ratios[hour] ?? 1) / mean),
    0,
  );
}

function groupByDay(hours: readonly WeighedHour[]): Map<number, WeighedHour[]> {
  const days = new Map<number, WeighedHour[]>();
  for (const hour of hours) {
    const ofDay = days.get(hour.day);
    if (ofDay === undefined) days.set(hour.day, [hour]);
    else ofDay.push(hour);
  }
  return days;
}

function sumShapes(shapes: readonly HourShape[]): HourShape {
  const errors = new Array<number>(HOURS).fill(0);
  const expected = new Array<number>(HOURS).fill(0);
  for (const shape of shapes) {
    for (let hour = 0; hour < HOURS; hour++) {
      errors[hour] = (errors[hour] ?? 0) + (shape.errors[hour] ?? 0);
      expected[hour] = (expected[hour] ?? 0) + (shape.expected[hour] ?? 0);
    }
  }
  return { errors, expected };
}
