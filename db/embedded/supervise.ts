import { setTimeout as sleep } from "node:timers/promises";
import type { PostmasterRun } from "./postmaster.ts";

export interface SupervisedServer {
  /** Number of the server's main process; `null` while there is none. */
  pid(): number | null;
  /** Ends the server for good. Fulfilled once it is gone; calling it again does no harm. */
  stop(): Promise<void>;
}

export interface Supervision {
  first: PostmasterRun;
  /** Starts the server again in the same place. */
  restart: (signal: AbortSignal) => Promise<PostmasterRun>;
  say: (line: string) => void;
  /** How long to wait before try number `attempt` (0, 1, 2, …), in milliseconds. Default: `restartDelayMs`. */
  delayMs?: (attempt: number) => number;
}

/** A server that lived for so long starts with a clean record. */
const HEALTHY_AFTER_MS = 10_000;

/** 0.1 s, 0.2 s, 0.4 s … and no more than 15 s. */
export function restartDelayMs(attempt: number): number {
  return Math.min(15_000, 100 * 2 ** Math.min(attempt, 10));
}

/** Starts the server again whenever it ends by itself, until it is told to stop. */
export function supervise({ first, restart, say, delayMs = restartDelayMs }: Supervision): SupervisedServer {
  const stopping = new AbortController();
  let run: PostmasterRun | null = first;
  let attempt = 0;

  async function watch(): Promise<void> {
    while (run !== null) {
      const startedAt = Date.now();
      await run.exited;
      run = null;
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) attempt = 0;
      say("The database ended by itself: starting it again.");
      run = await startAgain();
    }
  }

  /** @returns `null` when told to stop meanwhile */
  async function startAgain(): Promise<PostmasterRun | null> {
    for (; !stopping.signal.aborted; ) {
      try {
        await sleep(delayMs(attempt++), undefined, { signal: stopping.signal });
        const started = await restart(stopping.signal);
        say("The database is back.");
        return started;
      } catch (error) {
        if (!stopping.signal.aborted)
          say(`It did not start: ${error instanceof Error ? error.message : error}`);
      }
    }
    return null;
  }

  const watching = watch();
  return {
    pid: () => run?.pid ?? null,
    async stop() {
      stopping.abort();
      await run?.stop();
      await watching;
    },
  };
}
