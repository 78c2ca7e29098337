import type { Outcome } from "../../outcome.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A target is left alone until `forMs` is over, but for one probe each `probeEveryMs`. */
export interface Bench {
  readonly forMs: number;
  readonly probeEveryMs: number;
}

/**
 * How long a failure keeps its target, or all that share its account, from being asked; `null` when not at all.
 *
 * - A wait that comes with a lack of room or a fault of theirs is kept; past a minute, a probe a minute looks whether it
 *   was meant.
 * - A rate limit or a quota is kept to its stated reset, a day at most, with a probe every ten minutes. A rate limit
 *   without a stated wait rests a second; a quota without one, a day.
 * - A bad key, a missing right or a missing model stays until somebody mends it; a probe a minute notices.
 *
 * @param random spreads the ends of short waits by up to a tenth, so that callers do not return as one
 */
export function getBench(outcome: Outcome, advisedMs: number | null, random: () => number): Bench | null {
  switch (outcome) {
    case "rate_limit":
      return { forMs: spread(advisedMs ?? 1_000, random), probeEveryMs: 10 * MINUTE_MS };
    case "quota":
      return { forMs: spread(advisedMs ?? DAY_MS, random), probeEveryMs: 10 * MINUTE_MS };
    case "auth":
    case "permission":
    case "not_found":
      return { forMs: DAY_MS, probeEveryMs: MINUTE_MS };
    case "capacity":
    case "timeout":
    case "network":
    case "server_error":
    case "unknown":
      return advisedMs === null ? null : { forMs: spread(advisedMs, random), probeEveryMs: MINUTE_MS };
    default:
      return null;
  }
}

function spread(advisedMs: number, random: () => number): number {
  const kept = Math.min(DAY_MS, Math.max(0, advisedMs));
  return kept + random() * Math.min(6_000, 0.1 * kept);
}
