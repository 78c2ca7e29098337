import type { TargetName } from "../advice/target-history.ts";

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const MINUTE_MS = 60_000;
/** After so many minutes it is said how many episodes still went on. */
export const AFTER_MINUTES = [5, 10, 20, 30, 60, 120] as const;

export interface Recovery {
  readonly minutesP50: number;
  readonly minutesP90: number;
  readonly stillBusy: { afterMinutes: number; share: number }[];
}

/**
 * How long it usually takes until a target has room again.
 *
 * @param closed episodes that are over; `null` is answered without one
 */
export function summariseRecovery(closed: readonly Span[]): Recovery | null {
  if (closed.length === 0) return null;
  const minutes = closed.map(({ fromMs, toMs }) => (toMs - fromMs) / MINUTE_MS).sort((a, b) => a - b);
  const at = (q: number) => minutes[Math.max(0, Math.ceil(q * minutes.length) - 1)] ?? 0;
  return {
    minutesP50: at(0.5),
    minutesP90: at(0.9),
    stillBusy: AFTER_MINUTES.map((afterMinutes) => ({
      afterMinutes,
      share: minutes.filter((length) => length > afterMinutes).length / minutes.length,
    })),
  };
}

/** The smallest number of tries within which half of the answered requests had their answer; `null` without one. */
export function medianTries(
  counts: readonly { readonly tries: number; readonly answered: number }[],
): number | null {
  const total = counts.reduce((sum, { answered }) => sum + answered, 0);
  let seen = 0;
  for (const { tries, answered } of [...counts].sort((a, b) => a.tries - b.tries)) {
    seen += answered;
    if (total > 0 && seen * 2 >= total) return tries;
  }
  return null;
}

/**
 * Whether an episode was the provider's rather than the model's: at one time at least two of its models were short, and
 * at least half of those that are called.
 *
 * @param models how many models of each provider are called at all
 */
export function isProviderWide(
  episode: TargetName & Span,
  all: readonly (TargetName & Span)[],
  models: ReadonlyMap<string, number>,
): boolean {
  const short = new Set(
    all
      .filter(
        (other) =>
          other.provider === episode.provider && other.fromMs < episode.toMs && other.toMs > episode.fromMs,
      )
      .map(({ model }) => model),
  );
  return short.size >= 2 && short.size * 2 >= (models.get(episode.provider) ?? 0);
}
