import type { Minute, Stretch } from "./two-states.ts";

/** What a stretch did to those who called. */
export interface EpisodeFigures {
  readonly attempts: number;
  readonly errors: number;
  /** Highest share of ten minutes in a row with at least five calls; of all of it where there are none. */
  readonly peakShare: number;
}

/** With fewer, an episode is a guess. */
export const LEAST_ERRORS = 3;
const PEAK_MS = 600_000;
const PEAK_CALLS = 5;

/** Whether a stretch had enough calls to be told of. */
export function isWorthTelling({ errors }: EpisodeFigures): boolean {
  return errors >= LEAST_ERRORS;
}

export function describeEpisode(minutes: readonly Minute[], { fromMs, toMs }: Stretch): EpisodeFigures {
  const within = minutes.filter(({ startMs }) => startMs >= fromMs && startMs < toMs);
  const errors = within.reduce((sum, { k }) => sum + k, 0);
  const attempts = within.reduce((sum, { n }) => sum + n, 0);
  let peak = 0;
  let [k, n, first] = [0, 0, 0];
  for (const minute of within) {
    k += minute.k;
    n += minute.n;
    for (; (within[first]?.startMs ?? 0) <= minute.startMs - PEAK_MS; first++) {
      k -= within[first]?.k ?? 0;
      n -= within[first]?.n ?? 0;
    }
    if (n >= PEAK_CALLS) peak = Math.max(peak, k / n);
  }
  return { attempts, errors, peakShare: peak > 0 || attempts === 0 ? peak : errors / attempts };
}
