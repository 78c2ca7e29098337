import type { Run } from "./simulate.ts";
import { DEADLINE_S } from "./world.ts";

/** Figures of one run, or means of several. Shares are 0–1, times in seconds. */
export interface Figures {
  readonly requests: number;
  /** Share answered within the deadline. */
  readonly success: number;
  readonly attemptsPerRequest: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Share answered by the first model, and by models of the first tier. */
  readonly firstShare: number;
  readonly firstTierShare: number;
  /** What answers were worth, per request. */
  readonly quality: number;
  /** Calls to the first model per request while it is down; `NaN` when it never was. */
  readonly callsToDown: number;
  /** Time from the end of an outage until the first model has four fifths of its former share again. */
  readonly recoveries: readonly number[];
}

export function quantile(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? Number.NaN;
}

export const mean = (values: readonly number[]) =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;

export const median = (values: readonly number[]) =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

/** Standard error of the mean. */
export function standardError(values: readonly number[]): number {
  const centre = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, values.length - 1) / values.length);
}

/** Whether the request was answered in time. */
export function isServed({ arrivals, endedAt, servedBy }: Run, i: number): boolean {
  return servedBy[i] != null && (endedAt[i] ?? Number.NaN) - (arrivals[i] ?? 0) <= DEADLINE_S;
}

/** Requests that came in `[from, to)`: how many, how many were answered in time, how many by the model. */
export function count(run: Run, from: number, to: number, model?: string) {
  let [requests, served, byModel] = [0, 0, 0];
  for (let i = firstAtOrAfter(run.arrivals, from); (run.arrivals[i] ?? to) < to; i++) {
    requests++;
    if (isServed(run, i)) served++;
    if (run.servedBy[i] === model) byModel++;
  }
  return { requests, served, byModel };
}

/** Attempts begun in `[from, to)`. @param model its place; by default all */
export function countCalls({ calls }: Run, from: number, to: number, model?: number): number {
  let found = 0;
  for (const [at, place] of calls) {
    if (at >= from && at < to && (model === undefined || place === model)) found++;
  }
  return found;
}

function firstAtOrAfter(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function measure(run: Run): Figures {
  const { models, arrivals, servedBy, endedAt, attempts } = run;
  const byId = new Map(models.map((model) => [model.id, model]));
  const first = models[0];
  let [success, firstModel, firstTier, quality, total] = [0, 0, 0, 0, 0];
  const latencies: number[] = [];
  for (let i = 0; i < arrivals.length; i++) {
    total += attempts[i] ?? 0;
    const model = byId.get(servedBy[i] ?? "");
    if (model === undefined || !isServed(run, i)) continue;
    success++;
    latencies.push((endedAt[i] ?? 0) - (arrivals[i] ?? 0));
    if (model === first) firstModel++;
    if (model.tier === 1) firstTier++;
    quality += model.quality;
  }
  const sorted = Float64Array.from(latencies).sort();
  const n = arrivals.length;
  return {
    requests: n,
    success: success / n,
    attemptsPerRequest: total / n,
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    firstShare: firstModel / n,
    firstTierShare: firstTier / n,
    quality: quality / n,
    ...measureOutages(run),
  };
}

function measureOutages(run: Run): Pick<Figures, "callsToDown" | "recoveries"> {
  const first = run.models[0]?.id ?? "";
  const spells = run.servers.get(first)?.spells ?? [];
  let [requests, calls] = [0, 0];
  const recoveries: number[] = [];
  for (const { from, to } of spells.filter(({ state }) => state === 2)) {
    requests += count(run, from, to).requests;
    calls += countCalls(run, from, to, 0);
    const share = (start: number, end: number) => {
      const seen = count(run, start, end, first);
      return seen.requests >= 5 ? seen.byModel / seen.requests : Number.NaN;
    };
    const before = share(from - 600, from - 10);
    if (!(before > 0.1) || to - from < 120) continue;
    const next = spells.find((spell) => spell.from >= to);
    const limit = Math.min(600, (next?.from ?? Number.POSITIVE_INFINITY) - to - 30);
    if (limit < 120) continue;
    let recovery = limit;
    for (let after = 0; after <= limit; after += 5) {
      if (!(share(to + after, to + after + 30) >= 0.8 * before)) continue;
      recovery = after;
      break;
    }
    recoveries.push(recovery);
  }
  return { callsToDown: requests === 0 ? Number.NaN : calls / requests, recoveries };
}

/** Means over seeds; outages of all seeds together. */
export function average(all: readonly Figures[]): Figures {
  const of = (key: Exclude<keyof Figures, "recoveries">) =>
    mean(all.map((figures) => figures[key]).filter((value) => !Number.isNaN(value)));
  return {
    requests: of("requests"),
    success: of("success"),
    attemptsPerRequest: of("attemptsPerRequest"),
    p50: of("p50"),
    p95: of("p95"),
    p99: of("p99"),
    firstShare: of("firstShare"),
    firstTierShare: of("firstTierShare"),
    quality: of("quality"),
    callsToDown: of("callsToDown"),
    recoveries: all.flatMap(({ recoveries }) => recoveries),
  };
}
