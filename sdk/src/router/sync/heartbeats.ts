import { VERSION } from "../../version.ts";
import type { PlanProblem } from "../plan/plan-document.ts";
import { quoteProblem } from "./judge-answer.ts";
import type { SyncedRouter } from "./plan-sync.ts";
import type { SyncAnswer } from "./transport.ts";

const EVERY_MS = 10_000;
/** All of it together stays below the 64 KiB that the server takes. */
const MAX_PROBLEMS = 20;
const MAX_TARGETS = 200;
const MAX_POINTER_LENGTH = 400;
const MAX_DETAIL_LENGTH = 400;

/** Tells the server now and then which plan is in force and how the targets are, and at once when a plan came. */
export interface Heartbeats {
  /** A plan came: taken, or refused for these reasons. */
  onPlan(problems: readonly PlanProblem[]): void;
  /** The server is there. */
  resume(): void;
  /** The server is away: nothing is sent until it is back. */
  pause(): void;
  stop(): void;
}

export interface HeartbeatDeps {
  readonly instance: string;
  readonly router: SyncedRouter;
  /** @throws when it did not arrive */
  readonly send: (body: string) => Promise<SyncAnswer>;
  /** The server would not have it, and said so. */
  readonly onRefused: (status: number, words: string) => void;
}

export function createHeartbeats({ instance, router, send, onRefused }: HeartbeatDeps): Heartbeats {
  const { system } = router;
  const startedAt = system.now();
  let problems: readonly PlanProblem[] = [];
  let stopTimer: (() => void) | null = null;
  let isSending = false;
  /** Something was to be said while something was said already. */
  let isStale = false;
  let isStopped = false;

  async function beat(): Promise<void> {
    stopTimer?.();
    stopTimer = null;
    if (isSending) {
      isStale = true;
      return;
    }
    isSending = true;
    do {
      isStale = false;
      // Whether the server hears of us is of no weight: the next one says all of it again.
      await send(JSON.stringify(describe())).then(judge, () => {});
    } while (isStale && !isStopped);
    isSending = false;
    if (!isStopped) stopTimer ??= system.setTimer(() => void beat(), EVERY_MS, true);
  }

  function judge({ status, body }: SyncAnswer): void {
    if (status >= 400 && status < 500 && status !== 429) onRefused(status, quoteProblem(body));
  }

  function describe() {
    return {
      instance: instance.slice(0, 100),
      chain: router.chain,
      source: router.source,
      sdkVersion: VERSION,
      startedAt,
      planVersion: router.planVersion(),
      problems: problems.slice(0, MAX_PROBLEMS).map(({ pointer, detail, isRefused }) => ({
        pointer: cut(pointer, MAX_POINTER_LENGTH),
        detail: cut(detail, MAX_DETAIL_LENGTH),
        isRefused,
      })),
      targets: router.health().slice(0, MAX_TARGETS),
    };
  }

  return {
    onPlan(found) {
      problems = found;
      if (!isStopped) void beat();
    },
    resume() {
      if (!isStopped && stopTimer === null && !isSending) void beat();
    },
    pause() {
      stopTimer?.();
      stopTimer = null;
    },
    stop() {
      isStopped = true;
      stopTimer?.();
    },
  };
}

/** Half of a character at the end would have the server refuse the whole. */
const cut = (text: string, length: number) => text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
