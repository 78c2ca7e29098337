import type { AttemptEvent } from "@busyhour/sdk";
import { DatabaseAway } from "../ingest/failure.ts";
import { ImportError } from "./import-error.ts";
import { getRetryDelayMs, MAX_WAIT_MS } from "./retry-delay.ts";
import type { ImportSink, SinkAnswer } from "./sink.ts";
import { sleepFor } from "./sleep-for.ts";

export interface DataSinkOptions {
  /** For the person at the terminal: a folder. */
  readonly label: string;
  readonly rawRetentionDays: number;
  /** Stores events; throws `DatabaseAway` when nothing of them could be stored just now. */
  readonly store: (events: readonly AttemptEvent[]) => Promise<SinkAnswer>;
  /** Adds up what was stored, so that the heatmap is there at once. */
  readonly addUp: () => Promise<void>;
  readonly say: (line: string) => void;
  /** Ends the waiting for the database. */
  readonly signal: AbortSignal;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now?: () => number;
}

/**
 * Stores events without a detour over HTTP. A database that cannot store just now (a deadlock, a restart) is tried
 * again for about two minutes per batch; every event has an id, so trying again is harmless.
 */
export function createDataSink(options: DataSinkOptions): ImportSink {
  const { label, rawRetentionDays, store, addUp, say, signal, sleep = sleepFor, now = Date.now } = options;
  let isUsed = false;

  async function send(events: readonly AttemptEvent[]): Promise<SinkAnswer> {
    isUsed = true;
    let waitedMs = 0;
    for (let tries = 1; ; tries++) {
      try {
        return await store(events);
      } catch (error) {
        if (!(error instanceof DatabaseAway)) throw error;
        const delayMs = getRetryDelayMs(tries, null, now());
        if (waitedMs + delayMs > MAX_WAIT_MS || signal.aborted) {
          const seconds = Math.round(waitedMs / 1000);
          throw new ImportError(`${label}: ${error.detail} Tried ${tries} times in ${seconds} s.`);
        }
        if (tries > 1) say(`${error.detail} Trying again in ${Math.max(1, Math.round(delayMs / 1000))} s`);
        await sleep(delayMs, signal);
        waitedMs += delayMs;
      }
    }
  }

  return {
    describe: () => label,
    limits: async () => ({ rawRetentionDays }),
    send,
    async finish() {
      if (!isUsed) return;
      say("Adding up …");
      await addUp();
    },
  };
}
