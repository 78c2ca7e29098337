import type { Delivery, Failure } from "./delivery.ts";
import type { ProblemCode } from "./judge-answer.ts";
import { getRetryDelayMs } from "./retry-delay.ts";
import type { System } from "./system.ts";

/** How late a timer or an answer may be before its runtime is taken to have dropped it, as frozen functions do. */
const GRACE_MS = 5_000;

export interface ScheduleDeps {
  readonly delivery: Delivery;
  readonly system: System;
  /** How many events wait. */
  readonly countWaiting: () => number;
  /** Whether the server has not been told yet of what was lost. */
  readonly hasNews: () => boolean;
  readonly onProblem: (code: ProblemCode, message: string) => void;
  readonly flushIntervalMs: number;
  readonly maxBatchEvents: number;
  readonly timeoutMs: number;
  readonly waitUntil: ((promise: Promise<unknown>) => void) | undefined;
}

/** When to send: as soon as a batch is full, else some time after the first event; after a failure, later. */
export interface Schedule {
  /** To be called whenever something was added or lost. Cheap: it looks at a few flags. */
  wake(): void;
  /** Sends what waits now; ends at the first failure, and at once while a retry is being waited for. */
  flush(): Promise<void>;
  /** Sends what waits now, also while a retry is being waited for. Takes `deadlineMs` at the most. */
  flushNow(deadlineMs: number): Promise<void>;
  /** Breaks off what is under way. No timer is left behind. */
  stop(): void;
}

interface Timer {
  readonly dueMs: number;
  readonly cancel: () => void;
}

export function createSchedule(deps: ScheduleDeps): Schedule {
  const { system, delivery } = deps;
  const alive = createLifeline(deps.waitUntil);
  let running: Promise<void> | null = null;
  /** An earlier run than this one has lost its runtime once, and must touch nothing should it wake up. */
  let latestRun = 0;
  let progressAtMs = 0;
  /** Events that the present run still has to send. */
  let left = 0;
  let failures = 0;
  let interval: Timer | null = null;
  let pause: Timer | null = null;
  let abort = new AbortController();

  const isLapsed = (timer: Timer) => system.now() > timer.dueMs + GRACE_MS;
  const isPaused = () => pause !== null && !isLapsed(pause);
  const isRunning = () => running !== null && system.now() <= progressAtMs + deps.timeoutMs + GRACE_MS;

  function setTimer(delayMs: number, callback: () => void): Timer {
    return { dueMs: system.now() + delayMs, cancel: system.setTimer(callback, delayMs) };
  }

  function clearPause(): void {
    pause?.cancel();
    pause = null;
  }

  function clearInterval(): void {
    interval?.cancel();
    interval = null;
  }

  function breakOff(): void {
    abort.abort();
    abort = new AbortController();
  }

  function armInterval(): void {
    alive.hold();
    clearInterval();
    interval = setTimer(deps.flushIntervalMs, () => {
      interval = null;
      void start(deps.countWaiting());
    });
  }

  function waitAfter({ code, message, askedMs }: Failure): void {
    deps.onProblem(code, message);
    failures++;
    clearPause();
    const delayMs = getRetryDelayMs(failures, askedMs, () => system.random());
    pause = setTimer(delayMs, () => {
      pause = null;
      void start(deps.countWaiting());
    });
  }

  function start(count: number): Promise<void> {
    left = Math.max(left, count);
    clearInterval();
    if (running !== null && isRunning()) return running;
    const run = ++latestRun;
    const isStale = () => run !== latestRun;
    progressAtMs = system.now();
    alive.hold();
    running = Promise.resolve()
      .then(() => sendAll(isStale))
      // Not foreseen, so a bug of ours: the app must not notice, and the events are tried again.
      .catch((error) => ({ code: "unreachable" as const, message: String(error), askedMs: null }))
      .then((failure) => {
        if (!isStale()) finish(failure);
      });
    return running;
  }

  function finish(failure: Failure | null): void {
    running = null;
    left = 0;
    if (failure !== null) waitAfter(failure);
    else if (deps.countWaiting() > 0 || deps.hasNews()) armInterval();
    if (interval === null) alive.release();
  }

  async function sendAll(isStale: () => boolean): Promise<Failure | null> {
    while (left > 0 || deps.countWaiting() >= deps.maxBatchEvents) {
      progressAtMs = system.now();
      const step = await delivery.sendNext(abort.signal, isStale);
      if (step.kind === "failed") return step.failure;
      if (step.kind === "empty") break;
      failures = 0;
      left -= step.events;
    }
    if (isStale() || deps.countWaiting() > 0 || !deps.hasNews()) return null;
    progressAtMs = system.now();
    const step = await delivery.sendNote(abort.signal, isStale);
    return step.kind === "failed" ? step.failure : null;
  }

  return {
    wake() {
      if (isRunning() || isPaused()) return;
      clearPause();
      if (deps.countWaiting() >= deps.maxBatchEvents) void start(deps.maxBatchEvents);
      else if (interval === null || isLapsed(interval)) armInterval();
    },
    async flush() {
      if (isPaused()) return;
      clearPause();
      await start(deps.countWaiting());
    },
    async flushNow(deadlineMs) {
      clearPause();
      let stopTimer = () => {};
      const late = new Promise<void>((resolve) => {
        stopTimer = system.setTimer(() => {
          breakOff();
          resolve();
        }, deadlineMs);
      });
      await Promise.race([start(deps.countWaiting()), late]);
      stopTimer();
    },
    stop() {
      latestRun++;
      running = null;
      breakOff();
      clearPause();
      clearInterval();
      alive.release();
    },
  };
}

/** Keeps a serverless runtime alive until what waits was sent, or failed to be: one promise at a time. */
function createLifeline(waitUntil: ScheduleDeps["waitUntil"]) {
  let release: (() => void) | null = null;
  return {
    hold(): void {
      if (waitUntil === undefined || release !== null) return;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      try {
        waitUntil(held);
      } catch {
        // Outside of a request there is nothing to keep alive.
        release = null;
      }
    },
    release(): void {
      release?.();
      release = null;
    },
  };
}
