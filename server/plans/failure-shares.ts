import type { TargetHour } from "./queries.ts";

/** Calls that the mean of the whole range counts for in an hour with few of its own. */
const MEAN_WEIGHT = 20;
const HOUR_MS = 3_600_000;

/** What was seen of one target over a range. */
export interface TargetRecord {
  readonly attempts: number;
  readonly failures: number;
  readonly capacity: number;
  /** Expected share of failures among the calls of an hour: its own, pulled to the mean where they are few. */
  failureShareAt(epochMs: number): number;
}

/** @param hours of one target. @returns `null` when it was never called */
export function toTargetRecord(hours: readonly TargetHour[]): TargetRecord | null {
  const byHour = new Map<number, { attempts: number; failures: number }>();
  let [attempts, failures, capacity] = [0, 0, 0];
  for (const hour of hours) {
    const sum = byHour.get(hour.hourMs) ?? { attempts: 0, failures: 0 };
    byHour.set(hour.hourMs, {
      attempts: sum.attempts + hour.attempts,
      failures: sum.failures + hour.failures,
    });
    attempts += hour.attempts;
    failures += hour.failures;
    capacity += hour.capacity;
  }
  if (attempts === 0) return null;
  const mean = failures / attempts;
  return {
    attempts,
    failures,
    capacity,
    failureShareAt(epochMs) {
      const own = byHour.get(Math.floor(epochMs / HOUR_MS) * HOUR_MS) ?? { attempts: 0, failures: 0 };
      return (own.failures + MEAN_WEIGHT * mean) / (own.attempts + MEAN_WEIGHT);
    },
  };
}
