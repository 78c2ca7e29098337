/** Lets requests wait for the next published plan, whichever server publishes it, without holding a connection. */
export interface PlanWatch {
  /**
   * Resolves when another version than `known` is published, and at the latest after `waitMs`, when `signal` fires, or
   * when the server stops.
   */
  wait(projectId: number, known: number, waitMs: number, signal: AbortSignal): Promise<void>;
  /** A plan was published by this server. */
  notice(projectId: number): void;
  /** Nobody is kept waiting any more. */
  close(): void;
  readonly isClosed: boolean;
  readonly waiting: number;
}

export interface PlanWatchOptions {
  /** Numbers of the published versions of these projects; one that has none may be left out. */
  readonly listPublished: (projectIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  /** How often the table is looked at while somebody waits. */
  readonly everyMs?: number;
  /** Calls back once, unless the returned function is called before. */
  readonly setTimer?: (callback: () => void, delayMs: number) => () => void;
  /** Those beyond are answered at once, so that there is room for other requests. */
  readonly maxWaiting?: number;
}

interface Waiter {
  readonly projectId: number;
  readonly known: number;
  readonly wake: () => void;
}

const EVERY_MS = 1_000;
const MAX_WAITING = 1_000;

const realTimer = (callback: () => void, delayMs: number) => {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};

export function createPlanWatch({
  listPublished,
  everyMs = EVERY_MS,
  setTimer = realTimer,
  maxWaiting = MAX_WAITING,
}: PlanWatchOptions): PlanWatch {
  const waiters = new Set<Waiter>();
  let isClosed = false;
  let stopLooking: (() => void) | null = null;

  function wakeWhere(isMeant: (waiter: Waiter) => boolean): void {
    for (const waiter of [...waiters]) if (isMeant(waiter)) waiter.wake();
  }

  function lookLater(): void {
    stopLooking ??= setTimer(() => void look(), everyMs);
  }

  /** One statement for all who wait, however many they are. */
  async function look(): Promise<void> {
    const ids = [...new Set([...waiters].map(({ projectId }) => projectId))];
    try {
      if (ids.length > 0) {
        const published = await listPublished(ids);
        wakeWhere(({ projectId, known }) => (published.get(projectId) ?? 0) !== known);
      }
    } catch {
      // The database is away: who waits goes on waiting, and is told of it when the time is over.
    }
    stopLooking = null;
    if (waiters.size > 0) lookLater();
  }

  return {
    async wait(projectId, known, waitMs, signal) {
      if (isClosed || signal.aborted || waiters.size >= maxWaiting) return;
      await new Promise<void>((resolve) => {
        const waiter: Waiter = {
          projectId,
          known,
          wake() {
            waiters.delete(waiter);
            stopTimer();
            signal.removeEventListener("abort", waiter.wake);
            resolve();
          },
        };
        const stopTimer = setTimer(() => waiter.wake(), waitMs);
        signal.addEventListener("abort", waiter.wake);
        waiters.add(waiter);
        lookLater();
      });
    },
    notice(projectId) {
      wakeWhere((waiter) => waiter.projectId === projectId);
    },
    close() {
      isClosed = true;
      stopLooking?.();
      stopLooking = null;
      wakeWhere(() => true);
    },
    get isClosed() {
      return isClosed;
    },
    get waiting() {
      return waiters.size;
    },
  };
}
