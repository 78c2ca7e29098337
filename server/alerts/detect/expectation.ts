import type { Usual } from "./types.ts";

/** What the charts hold calls against. */
export interface Expectation {
  /** What is usual. */
  readonly share: number;
  /** The same within 0.008 and 0.3: what the charts begin from. */
  readonly usual: number;
  /** Share that the rising chart looks for: the usual odds times five. */
  readonly raised: number;
  /** How alike calls of one hour are. */
  readonly spread: number;
}

/** Of what was never called: half a failure in ten calls. */
const UNKNOWN_SHARE = 0.05;
const LEAST_SHARE = 0.008;
const MOST_SHARE = 0.3;
const ODDS = 5;
/** Less would take an hour's wandering for news, more would see a short episode too late. */
const SPREAD = { least: 0.012, most: 0.02 };

/** What is to be expected of calls, from what is usual. */
export function expect(usual: Usual | null): Expectation {
  const share = usual?.share ?? UNKNOWN_SHARE;
  const within = Math.min(MOST_SHARE, Math.max(LEAST_SHARE, share));
  const odds = (ODDS * within) / (1 - within);
  const spread = Math.min(SPREAD.most, Math.max(SPREAD.least, usual?.spread ?? SPREAD.most));
  return { share, usual: within, raised: odds / (1 + odds), spread };
}

/**
 * How much likelier k of n calls are at share `raised` than at share `usual`, as a logarithm. Calls of one hour are
 * alike, so that those of a full hour say less than as many of several hours.
 *
 * @param hourCalls calls of the last hour, these included
 */
export function evidenceOf(
  { k, n }: { readonly k: number; readonly n: number },
  { usual, raised, spread }: Expectation,
  hourCalls: number,
): number {
  const all = k * Math.log(raised / usual) + (n - k) * Math.log((1 - raised) / (1 - usual));
  return all / (1 + spread * Math.max(0, hourCalls - 1));
}
