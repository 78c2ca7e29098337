/** k of n calls where a share of `expected` was expected. */
export interface Residual {
  readonly k: number;
  readonly n: number;
  readonly expected: number;
}

const LEAST = 1e-4;
const MOST = 0.9;

/**
 * How alike the calls of one unit (an hour of a day, a week of a window) are: the correlation ρ within units, by
 * moments. With ρ, n calls of a unit say as much as n / (1 + (n − 1)ρ) independent ones.
 *
 * A busy quarter of an hour fails as a whole, so that ten thousand calls of one bad hour are hardly more evidence than
 * a hundred. Without this the busiest week would decide alone.
 *
 * @returns ρ in [0.0001, 0.9]; `fallback` where no unit has two calls
 * @see docs/formulas.md#effective-calls
 */
export function correlationWithin(units: Iterable<Residual>, fallback = 0.02): number {
  let squares = 0;
  let chance = 0;
  let scale = 0;
  for (const { k, n, expected } of units) {
    if (n < 2) continue;
    const spread = expected * (1 - expected);
    squares += (k - n * expected) ** 2 / n;
    chance += spread;
    scale += spread * (n - 1);
  }
  if (scale <= 0) return fallback;
  return Math.min(MOST, Math.max(LEAST, (squares - chance) / scale));
}

/** What one of n calls of a unit weighs, so that all of them weigh as much as their independent equivalents. */
export function weightPerCall(n: number, correlation: number): number {
  return n <= 1 ? 1 : 1 / (1 + (n - 1) * correlation);
}

/** What was seen of a group, and what the level above it expected, both in effective errors. */
export interface Seen {
  readonly errors: number;
  readonly expected: number;
}

const LEAST_PSEUDO = 1;
const MOST_PSEUDO = 500;

/**
 * How strongly ratios seen / expected are to be drawn toward 1: the pseudo-errors a of (a + errors) / (a + expected), by
 * moments. Groups that differ no more than chance makes them get a large one.
 */
export function pseudoErrors(groups: readonly Seen[]): number {
  let excess = 0;
  let scale = 0;
  for (const { errors, expected } of groups) {
    excess += (errors - expected) ** 2 - expected;
    scale += expected ** 2;
  }
  if (excess <= 0) return MOST_PSEUDO;
  return Math.min(MOST_PSEUDO, Math.max(LEAST_PSEUDO, scale / excess));
}

/** The ratio of seen to expected, drawn toward 1. Positive; between the raw ratio and 1. */
export function shrunkRatio({ errors, expected }: Seen, pseudo: number): number {
  return (errors + pseudo) / (expected + pseudo);
}
