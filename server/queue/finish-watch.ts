/** Lets requests wait until jobs are finished, whichever server finishes them, without holding a connection. */
export interface FinishWatch {
  /** Resolves when the job is live no more, and at the latest after `waitMs`, when `signal` fires, or the server stops. */
  wait(projectId: number, id: number, waitMs: number, signal: AbortSignal): Promise<void>;
  /** This server finished them. */
  notice(projectId: number, ids: readonly number[]): void;
  close(): void;
}

interface Watched {
  readonly projectId: number;
  readonly id: number;
}

export interface FinishWatchOptions {
  /** Those that are live no more, as `project id`. */
  readonly listGone: (jobs: readonly Watched[]) => Promise<ReadonlySet<string>>;
  /** How often the table is looked at while somebody waits. */
  readonly everyMs?: number;
  /** Calls back once, unless the returned function is called before. */
  readonly setTimer?: (callback: () => void, delayMs: number) => () => void;
}

const EVERY_MS = 1_000;
/** Those beyond are answered at once, so that there is room for other requests. */
const MOST_WAITING = 2_000;

const realTimer = (callback: () => void, delayMs: number) => {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};

export function createFinishWatch({
  listGone,
  everyMs = EVERY_MS,
  setTimer = realTimer,
}: FinishWatchOptions): FinishWatch {
  const waiters = new Map<string, Set<() => void>>();
  const jobs = new Map<string, Watched>();
  let count = 0;
  let isClosed = false;
  let stopLooking: (() => void) | null = null;

  function wake(key: string): void {
    for (const one of [...(waiters.get(key) ?? [])]) one();
  }

  function lookLater(): void {
    stopLooking ??= setTimer(() => void look(), everyMs);
  }

  /** One statement for all who wait. */
  async function look(): Promise<void> {
    try {
      if (jobs.size > 0) for (const key of await listGone([...jobs.values()])) wake(key);
    } catch {
      // The database is away: who waits goes on waiting, and is told of it when the time is over.
    }
    stopLooking = null;
    if (jobs.size > 0) lookLater();
  }

  return {
    async wait(projectId, id, waitMs, signal) {
      if (isClosed || signal.aborted || count >= MOST_WAITING) return;
      const key = `${projectId} ${id}`;
      count++;
      await new Promise<void>((resolve) => {
        const own = waiters.get(key) ?? new Set();
        const done = () => {
          own.delete(done);
          if (own.size === 0) {
            waiters.delete(key);
            jobs.delete(key);
          }
          stopTimer();
          signal.removeEventListener("abort", done);
          resolve();
        };
        const stopTimer = setTimer(done, waitMs);
        signal.addEventListener("abort", done);
        own.add(done);
        waiters.set(key, own);
        jobs.set(key, { projectId, id });
        lookLater();
      });
      count--;
    },
    notice(projectId, ids) {
      if (waiters.size > 0) for (const id of ids) wake(`${projectId} ${id}`);
    },
    close() {
      isClosed = true;
      stopLooking?.();
      stopLooking = null;
      for (const key of [...waiters.keys()]) wake(key);
    },
  };
}
