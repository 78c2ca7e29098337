import { quietly } from "../observe/body-watch.ts";
import type { Outcome } from "../outcome.ts";
import { getBackoffMs } from "../router/parts/backoff.ts";
import { AdaptiveLimit } from "../router/parts/limiter.ts";
import type { RouterSystem } from "../router/system.ts";
import { type Answer, type Ask, createAsk } from "./ask.ts";
import { BatchError, isBatchError } from "./batch-error.ts";
import { type BatchDefaults, defaultsOf } from "./defaults.ts";
import { type Entry, ItemSource } from "./item-source.ts";
import { Pause } from "./pause.ts";
import { Tally } from "./tally.ts";
import type {
  BatchOptions,
  BatchResult,
  BatchSummary,
  BatchWaiting,
  FinishedItem,
  OpenBatchStore,
} from "./types.ts";
import { judge, stopMessage } from "./verdict.ts";

const BACKOFF = { baseMs: 1_000, capMs: 10_000 };
const TELL_MS = 1_000;
/** A timer for longer than this is set anew: they are of 31 bits. */
const LONGEST_TIMER_MS = 3_600_000;
/** As long as nothing went well since the start, nobody at that address is no lack of patience. */
const NOBODY_THERE_MS = 120_000;

export interface BatchParts<Item, Value> {
  readonly options: BatchOptions<Item, Value>;
  readonly open: OpenBatchStore;
  readonly finished: readonly FinishedItem[];
  readonly storeName: string;
  readonly system: RouterSystem;
}

/** One run of a batch. */
export class Batch<Item, Value> {
  readonly #options: BatchOptions<Item, Value>;
  readonly #defaults: BatchDefaults;
  readonly #open: OpenBatchStore;
  readonly #system: RouterSystem;
  readonly #source: ItemSource<Item>;
  readonly #ask: Ask<Item, Value>;
  readonly #limit = new AdaptiveLimit();
  readonly #pause: Pause;
  readonly #tally: Tally;
  /** Items that come back, soonest first is looked for. */
  readonly #again: Entry<Item>[] = [];
  /** What ends each call that is under way. */
  readonly #underWay = new Map<Entry<Item>, AbortController>();
  #reading: Promise<void> | null = null;
  #end: { readonly error: BatchError | null; readonly untilMs: number } | null = null;
  #wake = () => {};
  #successes = 0;
  #failuresInARow = 0;
  #lastSuccessMs: number;

  constructor({ options, open, finished, storeName, system }: BatchParts<Item, Value>) {
    this.#options = options;
    this.#defaults = defaultsOf(options);
    this.#open = open;
    this.#system = system;
    this.#source = new ItemSource(options, finished, storeName);
    this.#ask = createAsk(options, system);
    this.#pause = new Pause(system.random);
    this.#tally = new Tally(finished, system.elapsed());
    this.#lastSuccessMs = system.elapsed();
  }

  /** @throws {BatchError} */
  async run(): Promise<Omit<BatchSummary, "results">> {
    const { signal, onProgress } = this.#options;
    const onSignal = () => this.#stop(null);
    signal?.addEventListener("abort", onSignal);
    let stopTelling = () => {};
    try {
      if (signal?.aborted) onSignal();
      await this.#source.begin();
      if (onProgress !== undefined) stopTelling = this.#tellRegularly();
      while (await this.#step());
      await this.#windDown();
    } finally {
      stopTelling();
      signal?.removeEventListener("abort", onSignal);
    }
    if (this.#end?.error) throw this.#end.error;
    return {
      done: this.#tally.done,
      failed: this.#tally.failed,
      earlier: this.#tally.earlier,
      isComplete: this.#isFinished,
      elapsedMs: this.#tally.elapsedMs(this.#system.elapsed()),
    };
  }

  get #isFinished(): boolean {
    return this.#source.isExhausted && this.#again.length === 0 && this.#underWay.size === 0;
  }

  /** Begins one item, or waits for what must come first. @returns whether there is more to do */
  async #step(): Promise<boolean> {
    if (this.#end !== null || this.#isFinished) return false;
    this.#readOn();
    const nowMs = this.#system.elapsed();
    const pausedUntil = this.#pause.nextAt(nowMs);
    if (this.#underWay.size >= this.#most || pausedUntil > nowMs) {
      await this.#rest(this.#underWay.size >= this.#most ? Number.POSITIVE_INFINITY : pausedUntil);
      return true;
    }
    const entry = this.#takeAgain(nowMs) ?? this.#source.take();
    if (entry !== null) void this.#process(entry);
    else if (!this.#source.isHungry || this.#reading !== null) await this.#rest(this.#nextAgainMs);
    return true;
  }

  get #most(): number {
    return Math.min(this.#defaults.concurrency, this.#limit.allowed(this.#defaults.concurrency));
  }

  #readOn(): void {
    if (this.#reading !== null || !this.#source.isHungry) return;
    this.#reading = this.#source
      .readOn()
      .catch((error: unknown) => this.#stop(toBatchError(error)))
      .then(() => {
        this.#reading = null;
        this.#wake();
      });
  }

  #takeAgain(nowMs: number): Entry<Item> | null {
    const at = this.#again.findIndex(({ readyAtMs }) => readyAtMs <= nowMs);
    return at === -1 ? null : (this.#again.splice(at, 1)[0] ?? null);
  }

  get #nextAgainMs(): number {
    return this.#again.reduce(
      (soonest, { readyAtMs }) => Math.min(soonest, readyAtMs),
      Number.POSITIVE_INFINITY,
    );
  }

  /** Until something ends, or then. */
  #rest(untilMs: number): Promise<void> {
    return new Promise((resolve) => {
      const leftMs = Math.min(LONGEST_TIMER_MS, Math.max(1, Math.ceil(untilMs - this.#system.elapsed())));
      const cancel =
        untilMs === Number.POSITIVE_INFINITY ? () => {} : this.#system.setTimer(() => this.#wake(), leftMs);
      this.#wake = () => {
        cancel();
        this.#wake = () => {};
        resolve();
      };
    });
  }

  /** From its beginning to its result in the store, or to its place among those that come back. */
  async #process(entry: Entry<Item>): Promise<void> {
    const startedMs = this.#system.elapsed();
    const controller = new AbortController();
    this.#underWay.set(entry, controller);
    const isProbe = this.#pause.begin(startedMs);
    const successesBefore = this.#successes;
    entry.tries++;
    const { item, index, tries } = entry;
    try {
      const answer = await this.#ask({ item, index, attempt: tries, signal: controller.signal });
      entry.attempts += answer.calls;
      const latencyMs = this.#system.elapsed() - startedMs;
      if (answer.outcome === "ok") await this.#succeeded(entry, answer, isProbe, latencyMs);
      else await this.#failed(entry, answer, { isProbe, startedMs, latencyMs, successesBefore });
    } catch (error) {
      this.#stop(toBatchError(error));
    } finally {
      this.#underWay.delete(entry);
      this.#tell();
      this.#wake();
    }
  }

  async #succeeded(
    entry: Entry<Item>,
    answer: Extract<Answer<Value>, { outcome: "ok" }>,
    isProbe: boolean,
    latencyMs: number,
  ): Promise<void> {
    const nowMs = this.#system.elapsed();
    this.#successes++;
    this.#failuresInARow = 0;
    this.#lastSuccessMs = nowMs;
    this.#pause.success(isProbe);
    if (!answer.hasQueued) this.#limit.success(nowMs, this.#underWay.size - 1, this.#defaults.concurrency);
    this.#wake();
    const value = answer.value ?? null;
    const unwritable = findJsonFault(value);
    if (unwritable === null)
      await this.#store(entry, { outcome: "ok", value, target: answer.target, latencyMs });
    else {
      const error = { message: `the result has no JSON: ${unwritable}`, status: null, rule: null };
      await this.#store(entry, { outcome: "bad_output", error, target: answer.target, latencyMs });
    }
  }

  async #failed(
    entry: Entry<Item>,
    answer: Exclude<Answer<Value>, { outcome: "ok" }>,
    at: { isProbe: boolean; startedMs: number; latencyMs: number; successesBefore: number },
  ): Promise<void> {
    const { outcome, advisedMs, error, target } = answer;
    if (outcome === "cancelled") return void this.#again.push(entry);
    const nowMs = this.#system.elapsed();
    const verdict = judge(outcome, advisedMs);
    if (verdict === "stop") {
      this.#pause.ended(at.isProbe);
      this.#again.push(entry);
      this.#stop(new BatchError("refused", stopMessage(outcome, error.message), { outcome }));
      return;
    }
    if (verdict === "wait" || verdict === "again") {
      this.#limit.failure(nowMs, this.#underWay.size - 1, outcome === "timeout", this.#defaults.concurrency);
      this.#pause.failure(outcome, advisedMs, at.isProbe, at.startedMs, nowMs);
      if (verdict === "again" && (this.#successes > at.successesBefore || this.#isAlone)) entry.counted++;
      if (entry.counted < this.#defaults.maxAttempts) {
        entry.readyAtMs = nowMs + getBackoffMs(Math.min(entry.tries - 1, 10), BACKOFF, this.#system.random);
        this.#again.push(entry);
        if (advisedMs === null) this.#checkPatience(outcome, error.message, nowMs);
        return;
      }
    } else this.#pause.ended(at.isProbe);
    this.#failuresInARow++;
    await this.#store(entry, { outcome, error, target, latencyMs: at.latencyMs });
    if (this.#failuresInARow >= this.#defaults.maxFailuresInARow) {
      const message = `${this.#failuresInARow} items in a row failed; the last one: ${outcome}, ${error.message}`;
      this.#stop(new BatchError("failing", message, { outcome }));
    }
  }

  /** Whether it is the last item that is left. */
  get #isAlone(): boolean {
    return this.#source.isExhausted && this.#again.length === 0 && this.#underWay.size === 1;
  }

  #checkPatience(outcome: Outcome, message: string, nowMs: number): void {
    const sinceMs = nowMs - this.#lastSuccessMs;
    const isNobodyThere = outcome === "network" && this.#successes === 0 && sinceMs > NOBODY_THERE_MS;
    if (sinceMs <= this.#defaults.patienceMs && !isNobodyThere) return;
    const minutes = Math.round(sinceMs / 60_000);
    const said = `Nothing went well for ${minutes} minutes; the last failure: ${outcome}, ${message}`;
    this.#stop(new BatchError("gave_up", said, { outcome }));
  }

  async #store(
    entry: Entry<Item>,
    result: Pick<BatchResult, "outcome" | "value" | "error" | "target" | "latencyMs">,
  ): Promise<void> {
    const { id, index, input, attempts } = entry;
    const { outcome, value, error, target, latencyMs } = result;
    await this.#open.add({
      id,
      index,
      outcome,
      ...(outcome === "ok" ? { value } : { ...(error === undefined ? {} : { error }) }),
      attempts,
      target,
      latencyMs: Math.round(latencyMs),
      finishedAt: new Date(this.#system.now()).toISOString(),
      input,
    });
    this.#tally.finished(outcome === "ok", this.#system.elapsed());
  }

  /** Begins nothing more. The first reason is the one that is told. */
  #stop(error: BatchError | null): void {
    if (this.#end?.error) return;
    const untilMs = this.#end?.untilMs ?? this.#system.elapsed() + this.#defaults.graceMs;
    this.#end = { error, untilMs };
    this.#wake();
    this.#tell();
  }

  /** Lets what is under way finish within its time of grace, and then goes on without it. */
  async #windDown(): Promise<void> {
    if (this.#end === null) return;
    // Not waited for: what is stuck in its own reading cannot be closed.
    void this.#source.close().catch(() => {});
    while (this.#underWay.size > 0 && this.#system.elapsed() < this.#end.untilMs)
      await this.#rest(this.#end.untilMs);
    for (const controller of this.#underWay.values())
      controller.abort(new DOMException("The batch has ended", "AbortError"));
    // What has been answered is on its way into the store.
    while (this.#underWay.size > 0) await this.#rest(Number.POSITIVE_INFINITY);
  }

  #tellRegularly(): () => void {
    let cancel = () => {};
    const again = () => {
      this.#tell();
      cancel = this.#system.setTimer(again, TELL_MS, true);
    };
    again();
    return () => {
      cancel();
      this.#tell();
    };
  }

  #tell(): void {
    const { onProgress } = this.#options;
    if (onProgress === undefined) return;
    const nowMs = this.#system.elapsed();
    const state = {
      total: this.#source.total,
      concurrency: this.#most,
      inFlight: this.#underWay.size,
      waiting: this.#waiting(nowMs),
    };
    quietly(() => onProgress(this.#tally.progress(nowMs, state)));
  }

  #waiting(nowMs: number): BatchWaiting | null {
    const epochOf = (ms: number) => this.#system.now() + (ms - nowMs);
    if (this.#end !== null) {
      return this.#underWay.size === 0 ? null : { why: "ending", until: epochOf(this.#end.untilMs) };
    }
    const why = this.#pause.why(nowMs);
    return why === null ? null : { why, until: epochOf(this.#pause.until) };
  }
}

/** Why a value cannot be written as JSON; `null` when it can. */
function findJsonFault(value: unknown): string | null {
  try {
    return JSON.stringify(value) === undefined ? `a ${typeof value} has none` : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function toBatchError(error: unknown): BatchError {
  if (isBatchError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new BatchError("store", `The result could not be stored: ${message}`, { cause: error });
}
