import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import type { Cell, CountKind, Overview } from "../../../../server/contract/share.ts";
import { shareOf } from "../now/worst-changes.ts";

export interface OutcomeCount {
  readonly outcome: Outcome;
  readonly count: number;
  /** Of all of them, 0–1. */
  readonly part: number;
}

/** How attempts, or requests, of several hours ended, most frequent first. */
export function sumOutcomes(hours: readonly Overview[], count: CountKind): OutcomeCount[] {
  const pick = ({ total }: Overview) => (count === "attempts" ? total.outcomes : total.requestOutcomes);
  const counts = OUTCOMES.map((outcome) => ({
    outcome,
    count: hours.reduce((sum, hour) => sum + (pick(hour)[outcome] ?? 0), 0),
  })).filter((one) => one.count > 0);
  const all = counts.reduce((sum, one) => sum + one.count, 0);
  return counts.map((one) => ({ ...one, part: one.count / all })).sort((a, b) => b.count - a.count);
}

export interface TargetCount {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
  readonly k: number;
  readonly n: number;
}

/** Where calls found no room, most of them first; targets that always had room are left out. */
export function sumByTarget(hours: readonly Overview[], count: CountKind, limit: number): TargetCount[] {
  const sums = new Map<string, { -readonly [name in keyof TargetCount]: TargetCount[name] }>();
  for (const figures of hours.flatMap(({ targets }) => targets)) {
    const { provider, model, endpoint } = figures;
    const key = [provider, model, endpoint].join("\n");
    const sum = sums.get(key) ?? { provider, model, endpoint, k: 0, n: 0 };
    const cell: Cell = shareOf(figures, count);
    sum.k += cell.k;
    sum.n += cell.n;
    sums.set(key, sum);
  }
  return [...sums.values()]
    .filter(({ k }) => k > 0)
    .sort((a, b) => b.k - a.k)
    .slice(0, limit);
}

/** Least, middle and most of what providers asked to wait; `null` when none did. */
export function spread(values: readonly number[]): { min: number; median: number; max: number } | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  return min === undefined || max === undefined || median === undefined ? null : { min, median, max };
}
