import type { AttemptEvent } from "../attempt-event.ts";
import type { System } from "../report/system.ts";

/** Failed attempts that wait to be told from final ones; beyond it the oldest counts as final. */
const MAX_WAITING = 1_000;

/** What tells one caller's wish from another's. */
export interface RequestMark {
  readonly url: string;
  /** The body as it is sent; `null` when it is no text. */
  readonly body: string | null;
  /** How many attempts the client says it has made before this one; `null` when it does not say. */
  readonly retryCount: number | null;
  /** The client's own name for the request, the same on each of its attempts. */
  readonly requestKey: string | null;
}

/** Where an attempt stands in its request. */
export interface Place {
  /** `null` for the first attempt, which names the request by its own event id. */
  readonly requestId: string | null;
  /** From 1. */
  readonly attempt: number;
  /** After how long the client gave up the attempt before this one by itself; `null` when it did not. */
  readonly limitMs: number | null;
}

/** A failed attempt of which it is not known yet whether it was the last. */
export interface Waiting {
  readonly key: string;
  readonly hash: number | null;
  readonly requestId: string;
  readonly attempt: number;
  isRepeated: boolean;
  /** No repetition can come any more. */
  isOver: boolean;
  event: AttemptEvent | null;
  dueMs: number;
}

/**
 * Tells which attempts belong to one request. A client that repeats a failed request sends the same body to the same
 * address soon after, so a failed attempt's event waits for that long; when the repetition begins, it is reported as not
 * final, and else as final.
 */
export class RetryGroups {
  readonly #report: (event: AttemptEvent) => void;
  readonly #system: Pick<System, "now" | "setTimer">;
  readonly #waiting = new Map<string, Waiting[]>();
  #count = 0;
  #cancelTimer: (() => void) | null = null;
  #timerDueMs = Number.POSITIVE_INFINITY;

  constructor(report: (event: AttemptEvent) => void, system: Pick<System, "now" | "setTimer">) {
    this.#report = report;
    this.#system = system;
  }

  /** Finds the failed attempt that this one repeats, and lets its event go. */
  join(mark: RequestMark): Place {
    if (mark.retryCount === 0 || this.#count === 0) return startOf(mark);
    const key = keyOf(mark);
    const list = this.#waiting.get(key);
    if (list === undefined) return startOf(mark);
    const hash = hashOf(mark);
    const same = list.filter((waiting) => !waiting.isRepeated && waiting.hash === hash);
    const repeats = same.find(({ attempt }) => attempt === mark.retryCount) ?? same[0];
    if (repeats === undefined) return startOf(mark);
    repeats.isRepeated = true;
    if (repeats.event !== null) this.#release(repeats, repeats.event);
    const attempt = mark.retryCount === null ? repeats.attempt + 1 : mark.retryCount + 1;
    return { requestId: repeats.requestId, attempt, limitMs: limitOf(repeats.event) };
  }

  /** A failed attempt that may be repeated: known from now on, its event to follow. */
  expect(mark: RequestMark, requestId: string, attempt: number): Waiting {
    const waiting: Waiting = {
      key: keyOf(mark),
      hash: hashOf(mark),
      requestId,
      attempt,
      isRepeated: false,
      isOver: false,
      event: null,
      dueMs: Number.POSITIVE_INFINITY,
    };
    const list = this.#waiting.get(waiting.key);
    if (list === undefined) this.#waiting.set(waiting.key, [waiting]);
    else list.push(waiting);
    this.#count++;
    return waiting;
  }

  /** @param waitMs for how long a repetition is waited for; 0 when none can come */
  settle(waiting: Waiting, event: AttemptEvent, waitMs: number): void {
    if (waiting.isRepeated || waiting.isOver || waitMs <= 0) {
      this.#release(waiting, event);
      return;
    }
    waiting.event = event;
    waiting.dueMs = this.#system.now() + waitMs;
    if (this.#count > MAX_WAITING) this.#releaseOldest();
    this.#arm(waiting.dueMs);
  }

  /** Reports all that waits, or all of one named request, as final: nothing will follow any more. */
  flush(requestKey?: string): void {
    const lists =
      requestKey === undefined
        ? [...this.#waiting.values()]
        : [this.#waiting.get(keyOfName(requestKey)) ?? []];
    for (const waiting of lists.flat()) {
      waiting.isOver = true;
      if (waiting.event !== null) this.#release(waiting, waiting.event);
    }
  }

  #release(waiting: Waiting, event: AttemptEvent): void {
    const list = this.#waiting.get(waiting.key);
    const at = list?.indexOf(waiting) ?? -1;
    if (list !== undefined && at !== -1) {
      list.splice(at, 1);
      this.#count--;
      if (list.length === 0) this.#waiting.delete(waiting.key);
    }
    // Nobody repeats a call that they took back: what looked like that was the client's own time limit.
    const isTimeout = waiting.isRepeated && event.outcome === "cancelled";
    this.#report({ ...event, ...(isTimeout ? { outcome: "timeout" } : {}), isFinal: !waiting.isRepeated });
  }

  #releaseOldest(): void {
    for (const list of this.#waiting.values()) {
      const oldest = list.find(({ event }) => event !== null);
      if (oldest?.event === undefined || oldest.event === null) continue;
      this.#release(oldest, oldest.event);
      return;
    }
  }

  #arm(dueMs: number): void {
    if (dueMs >= this.#timerDueMs) return;
    this.#cancelTimer?.();
    this.#timerDueMs = dueMs;
    this.#cancelTimer = this.#system.setTimer(
      () => this.#releaseDue(),
      Math.max(0, dueMs - this.#system.now()),
    );
  }

  #releaseDue(): void {
    this.#cancelTimer = null;
    this.#timerDueMs = Number.POSITIVE_INFINITY;
    const now = this.#system.now();
    let next = Number.POSITIVE_INFINITY;
    for (const waiting of [...this.#waiting.values()].flat()) {
      if (waiting.event === null) continue;
      if (waiting.dueMs <= now) this.#release(waiting, waiting.event);
      else next = Math.min(next, waiting.dueMs);
    }
    if (next !== Number.POSITIVE_INFINITY) this.#arm(next);
  }
}

const FIRST: Place = { requestId: null, attempt: 1, limitMs: null };

/** A first attempt, or one whose forerunners are forgotten; its number is right even then if the client tells it. */
function startOf(mark: RequestMark): Place {
  return mark.retryCount ? { ...FIRST, attempt: mark.retryCount + 1 } : FIRST;
}

/** Timers are not exact: a second wait of nearly the same length is the same limit. */
function limitOf(event: AttemptEvent | null): number | null {
  return event?.outcome === "cancelled" && event.latencyMs !== undefined ? 0.95 * event.latencyMs : null;
}

function keyOf(mark: RequestMark): string {
  return mark.requestKey === null ? `${mark.body?.length ?? -1} ${mark.url}` : keyOfName(mark.requestKey);
}

const keyOfName = (requestKey: string) => `= ${requestKey}`;

/** FNV-1a over the body, computed only when something has failed; `null` when a name or nothing identifies it. */
function hashOf({ body, requestKey }: RequestMark): number | null {
  if (requestKey !== null || body === null) return null;
  let hash = 0x811c9dc5;
  for (let i = 0; i < body.length; i++) hash = Math.imul(hash ^ body.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Longest waits between attempts that widespread clients choose by themselves: 2 s, doubling, with jitter. */
const FIRST_WAIT_MS = 2_000;
const MARGIN_MS = 1_500;
const LONGEST_WAIT_MS = 30_000;
const LONGEST_STATED_WAIT_MS = 120_000;

/** For how long a failed attempt may still be repeated by its client. @param attempt its number, from 1 */
export function repetitionWaitMs(attempt: number, statedMs: number | null): number {
  const own = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return Math.max(own, Math.min(LONGEST_STATED_WAIT_MS, statedMs ?? 0)) + MARGIN_MS;
}
