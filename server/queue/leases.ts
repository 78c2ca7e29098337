import type { LeasedJob, LeaseRequest } from "../contract/job-lease.ts";
import { type Asker, type QueueDesk, type TakeDeps, takeJobs } from "./take-jobs.ts";
import { createTurns } from "./turns.ts";

export interface Leases {
  /**
   * Jobs that are ready, at once or as soon as there are some within the request's wait; none when `signal` fires before
   * that, or the server stops.
   */
  take(projectId: number, request: LeaseRequest, signal: AbortSignal): Promise<LeasedJob[]>;
  /** Something may be ready in the project that was not. */
  notice(projectId: number): void;
  /** Nobody is kept waiting any more. */
  close(): void;
  readonly isClosed: boolean;
  /** Resolves when no statement is under way. */
  idle(): Promise<void>;
}

export interface LeaseDeps extends TakeDeps {
  /** Whoever asked is gone: nobody has these. */
  readonly onAbandoned: (projectId: number, jobs: readonly LeasedJob[]) => void;
  /** How often it is looked again while somebody waits. */
  readonly everyMs?: number;
  /** Calls back once, unless the returned function is called before. */
  readonly setTimer?: (callback: () => void, delayMs: number) => () => void;
}

interface Waiter extends Asker {
  readonly answer: (jobs: LeasedJob[]) => void;
  readonly fail: (error: unknown) => void;
  /** Waits no longer than for the next look. */
  isLast: boolean;
}

/** Requests for one queue of one project. */
interface Desk extends QueueDesk {
  readonly waiters: Set<Waiter>;
  running: Promise<void> | null;
  /** Asked for while it was running. */
  isAskedAgain: boolean;
}

const EVERY_MS = 1_000;
/** Requests beyond do not wait, so that there is room for others. */
const MOST_WAITING = 2_000;
const MOST_DESKS = 1_000;

const realTimer = (callback: () => void, delayMs: number) => {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};

/**
 * Hands out jobs. Requests for one queue are answered together by one statement at a time, which shares what there is
 * among them; those for which there is nothing wait without holding a connection.
 */
export function createLeases(deps: LeaseDeps): Leases {
  const { everyMs = EVERY_MS, setTimer = realTimer } = deps;
  const desks = new Map<string, Desk>();
  let isClosed = false;
  let waiting = 0;
  let stopLooking: (() => void) | null = null;

  function deskOf(projectId: number, queue: string): Desk {
    const key = `${projectId} ${queue}`;
    let desk = desks.get(key);
    if (desk === undefined) {
      if (desks.size >= MOST_DESKS)
        for (const [old, one] of desks) if (one.waiters.size === 0 && one.running === null) desks.delete(old);
      desk = {
        projectId,
        queue,
        turns: createTurns(),
        waiters: new Set(),
        seen: new Map(),
        running: null,
        isAskedAgain: false,
      };
      desks.set(key, desk);
    }
    return desk;
  }

  function serve(desk: Desk): void {
    if (desk.running !== null) {
      desk.isAskedAgain = true;
      return;
    }
    // Requests that arrived with this one are read in the same turn of the loop.
    desk.running = new Promise<void>((go) => setImmediate(go))
      .then(() => serveOnce(deps, desk))
      .finally(() => {
        desk.running = null;
        const isAsked = desk.isAskedAgain;
        desk.isAskedAgain = false;
        if (isAsked && desk.waiters.size > 0) serve(desk);
        else if (desk.waiters.size > 0) lookLater();
      });
  }

  function lookLater(): void {
    stopLooking ??= setTimer(() => {
      stopLooking = null;
      for (const desk of desks.values()) if (desk.waiters.size > 0) serve(desk);
    }, everyMs);
  }

  return {
    async take(projectId, request, signal) {
      if (isClosed || signal.aborted) return [];
      const desk = deskOf(projectId, request.queue);
      const mayWait = request.wait > 0 && waiting < MOST_WAITING;
      waiting++;
      let stopTimer = () => {};
      try {
        return await new Promise<LeasedJob[]>((resolve, reject) => {
          const waiter: Waiter = {
            request,
            answer: (jobs) => {
              desk.waiters.delete(waiter);
              resolve(jobs);
            },
            fail: (error) => {
              desk.waiters.delete(waiter);
              reject(error);
            },
            isLast: !mayWait,
          };
          desk.waiters.add(waiter);
          if (mayWait)
            stopTimer = setTimer(() => {
              waiter.isLast = true;
              serve(desk);
            }, request.wait * 1_000);
          signal.addEventListener("abort", () => waiter.answer([]), { once: true });
          serve(desk);
        });
      } finally {
        waiting--;
        stopTimer();
      }
    },
    notice(projectId) {
      for (const desk of desks.values())
        if (desk.projectId === projectId && desk.waiters.size > 0) serve(desk);
    },
    close() {
      isClosed = true;
      stopLooking?.();
      stopLooking = null;
      for (const { waiters } of desks.values()) for (const waiter of [...waiters]) waiter.answer([]);
    },
    get isClosed() {
      return isClosed;
    },
    async idle() {
      await Promise.all([...desks.values()].map(({ running }) => running));
    },
  };
}

/** One look for all who wait at the desk; never throws. */
async function serveOnce(deps: LeaseDeps, desk: Desk): Promise<void> {
  const waiters = [...desk.waiters];
  if (waiters.length === 0) return;
  try {
    const taken = await takeJobs(deps, desk, waiters);
    for (const waiter of waiters) {
      const jobs = taken.get(waiter) ?? [];
      if (!desk.waiters.has(waiter)) {
        if (jobs.length > 0) deps.onAbandoned(desk.projectId, jobs);
      } else if (jobs.length > 0 || waiter.isLast) waiter.answer(jobs);
    }
  } catch (error) {
    for (const waiter of waiters) waiter.fail(error);
  }
}
