import type { Latency } from "./latency.ts";

const LEAST_MS = 12_000;
const MOST_MS = 30_000;
const LEAST_PROBE_MS = 8_000;

/**
 * Time that one attempt gets, in milliseconds: half as much again as the slowest one in a hundred takes, at least 12 s, at
 * most 30 s or half of what is left, and never more than what is left. A probe gets less: a target that hangs is found out
 * sooner.
 *
 * @param keepsTime whether half of what is left is kept for another target, unless this one is known to take longer than
 *   that when it answers
 */
export function getAttemptTimeoutMs(
  latency: Latency,
  leftMs: number,
  isProbe: boolean,
  keepsTime = false,
): number {
  const mostMs = Math.max(MOST_MS, leftMs / 2);
  const usualMs = latency.isKnown ? latency.quantileMs(1.645) : 0;
  const boundMs = keepsTime ? Math.min(leftMs, Math.max(leftMs / 2, usualMs)) : leftMs;
  if (isProbe) return Math.min(Math.max(LEAST_PROBE_MS, 1.3 * latency.quantileMs(1.645)), mostMs, boundMs);
  if (!latency.isKnown) return Math.min(mostMs, boundMs);
  return Math.min(Math.max(LEAST_MS, 1.5 * latency.quantileMs(2.33)), mostMs, boundMs);
}

/** Whether a target that did not answer within so long has really failed, or was only given too little time. */
export function isFairTimeout(latency: Latency, timeoutMs: number): boolean {
  return timeoutMs >= LEAST_PROBE_MS || (latency.isKnown && timeoutMs >= latency.quantileMs(1.645));
}
