import { getPauseAfterAnswer, getPauseAfterFailure } from "../router/sync/pauses.ts";
import type { QueueAnswer } from "./queue-client.ts";
import type { LeasedJob, WorkerParts } from "./worker-parts.ts";

export interface SupplyDeps<Payload> {
  readonly parts: WorkerParts<Payload>;
  /** Jobs at once that the queue may count on. */
  readonly countedOn: () => number;
  /** A job is leased, and in hand. */
  readonly onLeased: (job: LeasedJob<Payload>) => void;
  readonly onProblem: (answer: QueueAnswer) => void;
  /** An answer is here. */
  readonly onAnswer: () => void;
}

/** Few at a time, so that what is scarce is shared among workers; whole payloads stay within what is read of an answer. */
const MOST_LEASED = 10;
const WAIT_SECONDS = 25;
const TIMEOUT_MS = 10_000;
/** A latest time that is nearer than this, or than the time of three jobs, presses. */
const PRESSING_MS = 1_800_000;

/** Where a worker's jobs come from: asks for some, one question at a time, and has in hand what is not begun yet. */
export class Supply<Payload> {
  readonly #deps: SupplyDeps<Payload>;
  readonly #inHand: LeasedJob<Payload>[] = [];
  /** Breaks the question off that is under way. */
  #asking: AbortController | null = null;
  #isClosed = false;
  #failures = 0;
  /** Whether less was there than was asked for. */
  isQueueEmpty = false;
  /** Whether the latest time of the jobs that came last is near. */
  isPressed = false;
  /** When it may be asked again, on the clock of `elapsed`. */
  nextMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SupplyDeps<Payload>) {
    this.#deps = deps;
  }

  get isAsking(): boolean {
    return this.#asking !== null;
  }

  get isServerAway(): boolean {
    return this.#failures > 0;
  }

  take(): LeasedJob<Payload> | undefined {
    return this.#inHand.shift();
  }

  /** @returns whether it was in hand */
  drop(job: LeasedJob<Payload>): boolean {
    const at = this.#inHand.indexOf(job);
    if (at !== -1) this.#inHand.splice(at, 1);
    return at !== -1;
  }

  /** All that is in hand. */
  empty(): LeasedJob<Payload>[] {
    return this.#inHand.splice(0);
  }

  /** Asks no more: jobs that are on their way are still taken in hand. */
  close(): void {
    this.#isClosed = true;
    this.#asking?.abort();
  }

  /** @param limit jobs that there is room for */
  async ask(limit: number): Promise<void> {
    const { client, queue, settings, system } = this.#deps.parts;
    const startedMs = system.elapsed();
    const controller = new AbortController();
    this.#asking = controller;
    const body = {
      queue,
      worker: settings.name,
      limit: Math.min(MOST_LEASED, limit),
      leaseMs: settings.leaseMs,
      concurrency: this.#deps.countedOn(),
      wait: WAIT_SECONDS,
    };
    const timeoutMs = WAIT_SECONDS * 1_000 + TIMEOUT_MS;
    const answer = await client.post("/v1/jobs/lease", body, timeoutMs, controller.signal);
    this.#asking = null;
    const { jobs, now } = (answer.is === "ok" ? answer.body : {}) as { jobs?: unknown; now?: unknown };
    if (Array.isArray(jobs)) this.#receive(jobs, body.limit, startedMs, Date.parse(String(now)));
    else if (!this.#isClosed) this.#wait(answer);
    this.#deps.onAnswer();
  }

  /** @param epochMs by the server's clock, which latest times are by */
  #receive(jobs: readonly LeasedJob<Payload>[], limit: number, startedMs: number, epochMs: number): void {
    const { system } = this.#deps.parts;
    this.#failures = 0;
    this.isQueueEmpty = jobs.length < limit;
    if (jobs.length === 0) {
      const nowMs = system.elapsed();
      this.nextMs = nowMs + getPauseAfterAnswer(nowMs - startedMs, () => system.random());
      return;
    }
    // One that goes early, so that all of them are in time, goes at the pace that this was reckoned by.
    this.isPressed = jobs.some(
      ({ isDue, notAfter, expectedMs }) =>
        isDue && notAfter !== null && Date.parse(notAfter) - epochMs < Math.max(PRESSING_MS, 3 * expectedMs),
    );
    for (const job of jobs) {
      this.#inHand.push(job);
      this.#deps.onLeased(job);
    }
  }

  #wait(answer: QueueAnswer): void {
    const { system } = this.#deps.parts;
    this.#deps.onProblem(answer);
    const { askedMs, isLasting } =
      answer.is === "later" ? answer : { askedMs: null, isLasting: answer.is === "refused" };
    const pause = { failures: ++this.#failures, askedMs, isLasting };
    this.nextMs = system.elapsed() + getPauseAfterFailure(pause, () => system.random());
  }
}
