import type { Usual } from "./types.ts";

/** What the charts hold calls against. */
export interface Expectation {
  /** Share where all is as usual. */
  readonly usual: number;
  /** Share that the rising chart looks for: the usual odds times five. */
  readonly raised: number;
  /** How alike calls of one hour are. */
  readonly spread: number;
}

/** Without any evidence: half a failure in ten calls, as of a model that was never called. */
const PRIOR_SHARE = 0.05;
const PRIOR_CALLS = 20;
const LEAST_SHARE = 0.003;
const MOST_SHARE = 0.3;
const ODDS = 5;
const SPREAD = 0.02;

/** What is to be expected of calls, from what is usual; with little evidence drawn toward what is so anywhere. */
export function expect(usual: Usual | null): Expectation {
  const { share, n } = usual ?? { share: PRIOR_SHARE, n: 0 };
  const drawn = (share * n + PRIOR_SHARE * PRIOR_CALLS) / (n + PRIOR_CALLS);
  const within = Math.min(MOST_SHARE, Math.max(LEAST_SHARE, drawn));
  const odds = (ODDS * within) / (1 - within);
  return { usual: within, raised: odds / (1 + odds), spread: SPREAD };
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
