import { ENOUGH_CALLS, toCell } from "../capacity/cell.ts";
import type { ConcurrencyFinding } from "./finding.ts";

/** Attempts by how many own calls to the target were under way when they began, these not counted. */
export interface LevelCount {
  readonly inFlight: number;
  readonly k: number;
  readonly n: number;
}

/** Errors above the level must be so many times those below. */
const TIMES = 3;
/** Half of twice the log likelihood ratio that a level has by chance once in a thousand times, some levels tried. */
const LEAST_GAIN = 7;

/**
 * The level of own calls at once at which errors begin: that cut between two shares which explains them best.
 *
 * A level counts only where errors below it are a third of those above, and where chance would hardly make it.
 */
export function judgeConcurrency(counts: readonly LevelCount[]): ConcurrencyFinding {
  const levels = [...counts].sort((a, b) => a.inFlight - b.inFlight);
  const total = levels.reduce((sum, { n }) => sum + n, 0);
  const said = {
    step: "concurrency",
    atOnceP50: medianLevel(levels, total),
    atOnceMost: (levels.at(-1)?.inFlight ?? -1) + 1 || null,
  } as const;
  const nothing = { ...said, level: null, below: null, from: null };
  if (total < 2 * ENOUGH_CALLS) return { ...nothing, verdict: "unknown" };
  const cut = findCut(levels, total);
  if (cut === null) return { ...nothing, verdict: "innocent" };
  return {
    ...said,
    verdict: "tooHigh",
    level: cut.inFlight + 1,
    below: toCell(cut.below.k, cut.below.n),
    from: toCell(cut.from.k, cut.from.n),
  };
}

interface Sums {
  readonly k: number;
  readonly n: number;
}

function findCut(levels: readonly LevelCount[], total: number) {
  const errors = levels.reduce((sum, { k }) => sum + k, 0);
  let best: { inFlight: number; below: Sums; from: Sums; gain: number } | null = null;
  let below: Sums = { k: 0, n: 0 };
  for (const level of levels) {
    const from = { k: errors - below.k, n: total - below.n };
    if (below.n >= ENOUGH_CALLS && from.n >= ENOUGH_CALLS && from.k / from.n >= (TIMES * below.k) / below.n) {
      const gain = likelihood(below) + likelihood(from) - likelihood({ k: errors, n: total });
      if (gain >= LEAST_GAIN && gain > (best?.gain ?? 0))
        best = { inFlight: level.inFlight, below, from, gain };
    }
    below = { k: below.k + level.k, n: below.n + level.n };
  }
  return best;
}

function likelihood({ k, n }: Sums): number {
  const part = (count: number) => (count === 0 ? 0 : count * Math.log(count / n));
  return part(k) + part(n - k);
}

function medianLevel(levels: readonly LevelCount[], total: number): number | null {
  let seen = 0;
  for (const { inFlight, n } of levels) {
    seen += n;
    if (seen * 2 >= total) return inFlight + 1;
  }
  return null;
}
