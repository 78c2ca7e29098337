import { type Counting, type OutcomeCounts, sumOf } from "./counting.ts";
import { SLOT_MS } from "./detect/types.ts";
import type { SeriesSlots } from "./slot-queries.ts";

export interface SeriesCount {
  readonly series: SeriesSlots;
  readonly k: number;
  readonly n: number;
}

/** What all series did in some slots. Epoch milliseconds, ascending. */
export interface SlotTable {
  /** To be learnt: late events of theirs are not waited for any more. */
  readonly closed: readonly number[];
  /** To be looked at. */
  readonly open: readonly number[];
  /** Series that had anything to count in a slot. */
  countsOf(counting: Counting, startMs: number): readonly SeriesCount[];
  /** What is made of the table once, by a key. */
  share<T>(key: string, make: () => T): T;
}

/** @param closedToMs slots before it are closed */
export function createSlotTable(series: readonly SeriesSlots[], closedToMs: number): SlotTable {
  const slots = new Map<number, Map<SeriesSlots, OutcomeCounts[]>>();
  for (const one of series) {
    one.slots.forEach((slot, i) => {
      const startMs = slot * SLOT_MS;
      const bySeries = slots.get(startMs) ?? new Map<SeriesSlots, OutcomeCounts[]>();
      slots.set(startMs, bySeries);
      const counts = bySeries.get(one) ?? [];
      counts.push({
        outcome: one.outcomes[i] ?? 0,
        attempts: one.attempts[i] ?? 0,
        requests: one.requests[i] ?? 0,
        degraded: one.degraded[i] ?? 0,
        retries: one.retries[i] ?? 0,
      });
      bySeries.set(one, counts);
    });
  }
  const starts = [...slots.keys()].sort((a, b) => a - b);
  // Rules that count the same share what was counted.
  const shared = new Map<string, unknown>();
  const share = <T>(key: string, make: () => T): T => {
    const known = shared.get(key) as T | undefined;
    if (known !== undefined) return known;
    const made = make();
    shared.set(key, made);
    return made;
  };
  return {
    closed: starts.filter((start) => start < closedToMs),
    open: starts.filter((start) => start >= closedToMs),
    share,
    countsOf(counting, startMs) {
      return share(`counts ${startMs} ${counting.key}`, () =>
        [...(slots.get(startMs) ?? [])].flatMap(([one, rows]): SeriesCount[] => {
          const [k, n] = [sumOf(rows, counting.k), sumOf(rows, counting.n)];
          return k > 0 || n > 0 ? [{ series: one, k, n }] : [];
        }),
      );
    },
  };
}
