const FIRST_CEILING_MS = 500;
/** A server that is back is found within this time, also after a long while. */
const LAST_CEILING_MS = 5_000;
/** What will not pass by itself is asked again so rarely. */
const LASTING_MS = 60_000;
/** Nobody is asked to wait longer than this. */
const LONGEST_ASKED_MS = 300_000;
/** Between two requests that were answered at once. */
const BETWEEN_MS = 2_000;

interface Failure {
  /** How many requests have failed in a row, from 1. */
  readonly failures: number;
  readonly askedMs: number | null;
  readonly isLasting: boolean;
}

/** Milliseconds until the next try: between half of a ceiling that doubles and all of it, so that many do not come together. */
export function getPauseAfterFailure(
  { failures, askedMs, isLasting }: Failure,
  random: () => number,
): number {
  const ceiling = isLasting
    ? LASTING_MS
    : Math.min(LAST_CEILING_MS, FIRST_CEILING_MS * 2 ** Math.min(failures - 1, 10));
  return Math.min(askedMs ?? 0, LONGEST_ASKED_MS) + Math.round(ceiling * (0.5 + random() / 2));
}

/**
 * Milliseconds until the next request after one that was answered: none when the server held it until there was news, some
 * when it did not, so that nobody is asked without a pause.
 */
export function getPauseAfterAnswer(tookMs: number, random: () => number): number {
  return tookMs >= BETWEEN_MS / 2 ? 0 : Math.round(BETWEEN_MS * (0.5 + random() / 2));
}
