import { betaQuantile } from "./beta.ts";
import { WEEK_HOURS } from "./day-hours.ts";

/** A share that was expected of a week, and what came. */
export interface Prediction {
  readonly expected: number;
  readonly k: number;
  readonly n: number;
}

/** What was expected of a week's windows. */
export interface PredictedWeek {
  readonly predictions: readonly Prediction[];
  /** Hours of the week that had calls, of 168. */
  readonly hoursSeen: number;
}

/**
 * How far weeks fall from what was expected of them, as a share of the widest that they could: the variance of a week's
 * share is spread · p(1 − p). The mean of earlier weeks' squared errors, with two weeks' worth of what is usual for LLM
 * providers, so that one week that happened to be right does not make certain. Older weeks count less, and weeks with
 * calls in few of their hours, whose shares are chance more than next week's will be.
 *
 * @param weeks newest first
 */
export function spreadOf(weeks: readonly PredictedWeek[]): number {
  let sum = PRIOR_WEEKS * PRIOR_SPREAD;
  let weight = PRIOR_WEEKS;
  for (const [age, { predictions, hoursSeen }] of weeks.entries()) {
    const errors = predictions
      .filter(({ n }) => n > 0)
      .map(({ expected, k, n }) => (k / n - expected) ** 2 / (expected * (1 - expected)));
    if (errors.length === 0) continue;
    const mean = errors.reduce((total, error) => total + error, 0) / errors.length;
    const counts = OLDER ** age * (hoursSeen / WEEK_HOURS);
    sum += counts * mean;
    weight += counts;
  }
  return Math.min(MOST_SPREAD, sum / weight);
}

/** What a week counts beside the one after it. */
const OLDER = 0.8;
const PRIOR_WEEKS = 2;
const PRIOR_SPREAD = 0.011;
const MOST_SPREAD = 0.5;
const LEAST_SPREAD = 1e-5;

export const LEVEL = 0.9;

/**
 * Between what values a week's observed share will lie in nine of ten weeks.
 *
 * A beta distribution with this mean and variance; it never leaves 0–1 and is skewed as shares near 0 are. `low` and
 * `high` always hold `expected` between them.
 *
 * @see docs/formulas.md#predictive-interval
 */
export function predictInterval(expected: number, spread: number): { low: number; high: number } {
  const total = 1 / Math.max(LEAST_SPREAD, spread) - 1;
  const [a, b] = [expected * total, (1 - expected) * total];
  const tail = (1 - LEVEL) / 2;
  const high = Math.max(expected, betaQuantile(1 - tail, a, b));
  // A window without any errors is no surprise where few are expected, so 0 must be within.
  const low = Math.min(expected, betaQuantile(tail, a, b));
  return { low: low < 0.0005 ? 0 : low, high };
}
