import { AdaptiveLimit } from "../router/parts/limiter.ts";
import type { RouterSystem } from "../router/system.ts";
import { type Answer, type Ask, createAsk } from "./ask.ts";
import { Backlog } from "./backlog.ts";
import { BatchError, isBatchError } from "./batch-error.ts";
import { type BatchDefaults, defaultsOf } from "./defaults.ts";
import { type Entry, ItemSource } from "./item-source.ts";
import { Patience } from "./patience.ts";
import { Pause } from "./pause.ts";
import { Rest } from "./rest.ts";
import { Tally } from "./tally.ts";
import { Teller } from "./teller.ts";
import { toResult } from "./to-result.ts";
import type {
  BatchOptions,
  BatchProgress,
  BatchSummary,
  BatchWaiting,
  FinishedItem,
  OpenBatchStore,
} from "./types.ts";
import { judge, stopMessage } from "./verdict.ts";

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
  readonly #patience: Patience;
  readonly #backlog = new Backlog<Item>();
  readonly #rest: Rest;
  readonly #teller: Teller;
  /** What ends each call that is under way. */
  readonly #underWay = new Map<Entry<Item>, AbortController>();
  #reading: Promise<void> | null = null;
  #end: { readonly error: BatchError | null; readonly untilMs: number } | null = null;

  constructor({ options, open, finished, storeName, system }: BatchParts<Item, Value>) {
    this.#options = options;
    this.#defaults = defaultsOf(options);
    this.#open = open;
    this.#system = system;
    this.#source = new ItemSource(options, finished, storeName);
    this.#ask = createAsk(options, system);
    this.#pause = new Pause(system.random);
    this.#tally = new Tally(finished, system.elapsed());
    this.#patience = new Patience(this.#defaults, system.elapsed());
    this.#rest = new Rest(system);
    this.#teller = new Teller(options.onProgress, () => this.#progress(), system);
  }

  /** @throws {BatchError} */
  async run(): Promise<Omit<BatchSummary, "results">> {
    const { signal } = this.#options;
    const onSignal = () => this.#stop(null);
    signal?.addEventListener("abort", onSignal);
    try {
      if (signal?.aborted) onSignal();
      await this.#source.begin();
      this.#teller.begin();
      while (await this.#step());
      await this.#windDown();
    } finally {
      this.#teller.end();
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
    return this.#source.isExhausted && this.#backlog.size === 0 && this.#underWay.size === 0;
  }

  /** Begins one item, or waits for what must come first. @returns whether there is more to do */
  async #step(): Promise<boolean> {
    if (this.#end !== null || this.#isFinished) return false;
    this.#readOn();
    const nowMs = this.#system.elapsed();
    const pausedUntil = this.#pause.nextAt(nowMs);
    if (this.#underWay.size >= this.#most || pausedUntil > nowMs) {
      await this.#rest.until(this.#underWay.size >= this.#most ? Number.POSITIVE_INFINITY : pausedUntil);
      return true;
    }
    const entry = this.#backlog.take(nowMs) ?? this.#source.take();
    if (entry !== null) void this.#process(entry);
    else if (!this.#source.isHungry || this.#reading !== null) await this.#rest.until(this.#backlog.nextAtMs);
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
        this.#rest.wake();
      });
  }

  /** From its beginning to its result in the store, or to its place among those that come back. */
  async #process(entry: Entry<Item>): Promise<void> {
    const startedMs = this.#system.elapsed();
    const controller = new AbortController();
    this.#underWay.set(entry, controller);
    const isProbe = this.#pause.begin(startedMs);
    const successesBefore = this.#patience.successes;
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
      this.#teller.tell();
      this.#rest.wake();
    }
  }

  async #succeeded(
    entry: Entry<Item>,
    answer: Extract<Answer<Value>, { outcome: "ok" }>,
    isProbe: boolean,
    latencyMs: number,
  ): Promise<void> {
    const nowMs = this.#system.elapsed();
    this.#patience.success(nowMs);
    this.#pause.success(isProbe);
    if (!answer.hasQueued) this.#limit.success(nowMs, this.#underWay.size - 1, this.#defaults.concurrency);
    this.#rest.wake();
    await this.#store(entry, answer, latencyMs);
  }

  async #failed(
    entry: Entry<Item>,
    answer: Exclude<Answer<Value>, { outcome: "ok" }>,
    at: { isProbe: boolean; startedMs: number; latencyMs: number; successesBefore: number },
  ): Promise<void> {
    const { outcome, advisedMs, error } = answer;
    if (outcome === "cancelled") return this.#backlog.add(entry);
    const nowMs = this.#system.elapsed();
    const verdict = judge(outcome, advisedMs);
    if (verdict === "stop") {
      this.#pause.ended(at.isProbe);
      this.#backlog.add(entry);
      this.#stop(new BatchError("refused", stopMessage(outcome, error.message), { outcome }));
      return;
    }
    if (verdict === "wait" || verdict === "again") {
      this.#limit.failure(nowMs, this.#underWay.size - 1, outcome === "timeout", this.#defaults.concurrency);
      this.#pause.failure(outcome, advisedMs, at.isProbe, at.startedMs, nowMs);
      if (verdict === "again" && (this.#patience.successes > at.successesBefore || this.#isAlone))
        entry.counted++;
      if (entry.counted < this.#defaults.maxAttempts) {
        this.#backlog.addLater(entry, nowMs, this.#system.random);
        if (advisedMs === null) this.#stopFor(this.#patience.tryFailed(outcome, error.message, nowMs));
        return;
      }
    } else this.#pause.ended(at.isProbe);
    await this.#store(entry, answer, at.latencyMs);
    this.#stopFor(this.#patience.itemFailed(outcome, error.message));
  }

  /** Whether it is the last item that is left. */
  get #isAlone(): boolean {
    return this.#source.isExhausted && this.#backlog.size === 0 && this.#underWay.size === 1;
  }

  async #store(entry: Entry<Item>, answer: Answer<Value>, latencyMs: number): Promise<void> {
    const result = toResult(entry, answer, latencyMs, this.#system.now());
    await this.#open.add(result);
    this.#tally.finished(result.outcome === "ok", this.#system.elapsed());
  }

  #stopFor(error: BatchError | null): void {
    if (error !== null) this.#stop(error);
  }

  /** Begins nothing more. The first reason is the one that is told. */
  #stop(error: BatchError | null): void {
    if (this.#end?.error) return;
    const untilMs = this.#end?.untilMs ?? this.#system.elapsed() + this.#defaults.graceMs;
    this.#end = { error, untilMs };
    this.#rest.wake();
    this.#teller.tell();
  }

  /** Lets what is under way finish within its time of grace, and then goes on without it. */
  async #windDown(): Promise<void> {
    if (this.#end === null) return;
    // Not waited for: what is stuck in its own reading cannot be closed.
    void this.#source.close().catch(() => {});
    while (this.#underWay.size > 0 && this.#system.elapsed() < this.#end.untilMs)
      await this.#rest.until(this.#end.untilMs);
    for (const controller of this.#underWay.values())
      controller.abort(new DOMException("The batch has ended", "AbortError"));
    // What has been answered is on its way into the store.
    while (this.#underWay.size > 0) await this.#rest.until(Number.POSITIVE_INFINITY);
  }

  #progress(): BatchProgress {
    const nowMs = this.#system.elapsed();
    return this.#tally.progress(nowMs, {
      total: this.#source.total,
      concurrency: this.#most,
      inFlight: this.#underWay.size,
      waiting: this.#waiting(nowMs),
    });
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

function toBatchError(error: unknown): BatchError {
  if (isBatchError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new BatchError("store", `The result could not be stored: ${message}`, { cause: error });
}
