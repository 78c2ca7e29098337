import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ADMIN_TOKEN } from "../../bench/support/product.ts";

const SENDERS = 4;
const EVENTS_PER_BATCH = 100;
const RETRY_AFTER_MS = 30;
const ANSWER_WITHIN_MS = 15_000;

/** What the senders met. Times are those of `performance.now()`. */
export interface Sent {
  /** Ids of events whose batch was answered with 202. */
  readonly acknowledged: Set<string>;
  /** How often each other answer came: a status, or `none` for a connection that broke. */
  readonly failures: Map<string, number>;
}

export interface Senders extends Sent {
  /** When the first batch that was sent after this moment was acknowledged. */
  waitForAck(sinceMs: number): Promise<number>;
  /** Makes no new batches; resolves when each that was made is acknowledged. */
  drain(): Promise<void>;
}

/**
 * Posts batches without a pause, as several applications would, and repeats each until it is acknowledged.
 *
 * @param findUrl where the server is now: it may be another one after a restart
 * @param source tells these events from all others
 */
export function startSenders(findUrl: () => string, source: string): Senders {
  const acknowledged = new Set<string>();
  const failures = new Map<string, number>();
  let newestAck = { sentAtMs: Number.NEGATIVE_INFINITY, atMs: 0 };
  let isDraining = false;

  async function sendOnce(body: string): Promise<string> {
    try {
      const response = await fetch(`${findUrl()}/v1/attempts`, {
        method: "POST",
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const answer = (await response.json()) as { rejected?: unknown[] };
      if (response.status === 202 && answer.rejected?.length !== 0) return "202 with rejects";
      return String(response.status);
    } catch (error) {
      return error instanceof Error && error.name === "TimeoutError" ? "late" : "none";
    }
  }

  async function sendUntilAcknowledged(events: readonly { eventId: string }[]): Promise<void> {
    const body = JSON.stringify({ attempts: events });
    for (;;) {
      const sentAtMs = performance.now();
      const answer = await sendOnce(body);
      if (answer === "202") {
        if (sentAtMs > newestAck.sentAtMs) newestAck = { sentAtMs, atMs: performance.now() };
        for (const { eventId } of events) acknowledged.add(eventId);
        return;
      }
      failures.set(answer, (failures.get(answer) ?? 0) + 1);
      await sleep(RETRY_AFTER_MS);
    }
  }

  async function send(): Promise<void> {
    while (!isDraining) await sendUntilAcknowledged(makeBatch(source));
  }

  const sending = Promise.all(Array.from({ length: SENDERS }, send));
  return {
    acknowledged,
    failures,
    async waitForAck(sinceMs) {
      while (newestAck.sentAtMs <= sinceMs) await sleep(5);
      return newestAck.atMs;
    },
    async drain() {
      isDraining = true;
      await sending;
    },
  };
}

/** Events of the last two minutes, so that a kill meets minutes and quarter-hours that are still changing. */
function makeBatch(source: string) {
  return Array.from({ length: EVENTS_PER_BATCH }, () => ({
    eventId: randomUUID(),
    occurredAt: Date.now() - Math.floor(120_000 * Math.random() ** 2),
    provider: "acme",
    model: Math.random() < 0.5 ? "acme-large" : "acme-small",
    source,
    outcome: Math.random() < 0.1 ? "capacity" : "ok",
    latencyMs: Math.floor(100 + 5_000 * Math.random()),
    inputTokens: Math.floor(2_000 * Math.random()),
    isFinal: Math.random() < 0.9,
  }));
}
