import { classify as standardClassify } from "../classify/classify.ts";
import { quietly } from "../observe/body-watch.ts";
import type { Classify } from "../observe/options.ts";
import { createClerk } from "../queue/clerk.ts";
import type { QueuedRun, WhenBusy } from "../queue/ticket.ts";
import { createLogs, type StartLog } from "./attempt-log.ts";
import { type Board, toBoard } from "./board.ts";
import { checkOptions, DEADLINE_RULE, isDeadline } from "./check-options.ts";
import { listChoices, listHealth } from "./choices.ts";
import type { Link } from "./course.ts";
import { Journey } from "./journey.ts";
import { type CallKind, chooseLinks, listUnable, withoutUnable } from "./links.ts";
import { type AppliedPlan, PlanHolder } from "./plan-holder.ts";
import { Runner, type RunnerParts } from "./runner.ts";
import { isContent } from "./stream/content.ts";
import { type BegunStream, StreamRunner } from "./stream/stream-runner.ts";
import { isPlanSource, type PlanSource } from "./sync/plan-source.ts";
import { type PlanSync, startPlanSync } from "./sync/plan-sync.ts";
import { rememberServer } from "./sync/server-of.ts";
import { realRouterSystem } from "./system.ts";
import type {
  CallProvider,
  Choice,
  Provider,
  Router,
  RouterOptions,
  RunOptions,
  RunResult,
  Stage,
  StreamProvider,
  StreamResult,
  TargetHealth,
} from "./types.ts";
import { walk } from "./walk.ts";

const DEADLINE_MS = 60_000;

/**
 * A router over a fallback chain: each request goes to the best target that has room, on to the next when one fails, and
 * waits no longer than it must. It is asked with `run` or `stream`.
 *
 * @throws {TypeError} when the chain or the providers cannot be used; says what, where and how to mend it
 * @see docs/router.md
 */
export function createRouter<Input, Output, Chunk = unknown>(
  options: RouterOptions<Input, Output, Chunk>,
): Router<Input, Output, Chunk> {
  checkOptions(options);
  return new ChainRouter(options);
}

class ChainRouter<Input, Output, Chunk> implements Router<Input, Output, Chunk> {
  readonly #options: RouterOptions<Input, Output, Chunk>;
  readonly #board: Board;
  readonly #plans: PlanHolder;
  readonly #classify: Classify;
  readonly #startLog: StartLog;
  readonly #unable: Readonly<Record<CallKind, ReadonlySet<string>>>;
  #sync: PlanSync | null = null;

  constructor(options: RouterOptions<Input, Output, Chunk>) {
    const system = options.system ?? realRouterSystem;
    this.#options = options;
    const { providers } = options;
    this.#unable = { run: listUnable(providers, "run"), stream: listUnable(providers, "stream") };
    this.#board = toBoard(options.health, system);
    this.#classify = options.classify ?? standardClassify;
    this.#plans = new PlanHolder(options, this.#board);
    this.#startLog = createLogs({
      report: options.report,
      source: options.source,
      chain: options.chain.name ?? "default",
      classify: this.#classify,
      system,
    });
    const { plan } = options;
    if (plan === undefined) return;
    if (isPlanSource(plan)) this.#sync = this.#follow(plan);
    else this.applyPlan(plan);
  }

  run<Value = Output>(input: Input, options?: RunOptions<Output, Value>): Promise<RunResult<Value>>;
  run<Value = Output>(
    input: Input,
    options: RunOptions<Output, Value> & WhenBusy,
  ): Promise<RunResult<Value> | QueuedRun>;
  run<Value = Output>(
    input: Input,
    options: RunOptions<Output, Value> & Partial<WhenBusy> = NO_OPTIONS,
  ): Promise<RunResult<Value> | QueuedRun> {
    try {
      if (options.whenBusy !== undefined) return this.#runOrQueue(input, options);
      if (options.output !== undefined && typeof options.output !== "function")
        throw new TypeError("router.run: output must be a check, such as json(schema) or text()");
      const parts = this.#start(input, options, false);
      return walk(parts, new Runner(parts, this.#callOf, options.output), this.#finish);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #runOrQueue<Value>(
    input: Input,
    { whenBusy, job, ...options }: RunOptions<Output, Value> & Partial<WhenBusy>,
  ): Promise<RunResult<Value> | QueuedRun> {
    const clerk = createClerk(whenBusy, job, {
      router: this,
      chain: this.#options.chain.name ?? "default",
      system: this.#board.system,
    });
    return this.run(input, options).catch((error: unknown) => clerk(error, options.signal));
  }

  stream(
    input: Input,
    options: Omit<RunOptions<Chunk>, "output"> = NO_OPTIONS,
  ): Promise<StreamResult<Chunk>> {
    try {
      const parts = this.#start(input, options, true);
      const isOfContent = this.#options.isContent ?? isContent;
      return walk(parts, new StreamRunner(parts, this.#streamOf, isOfContent), this.#finishStream);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  // Fields, not methods: they are handed on with each request.
  readonly #finish = <Value>(parts: RunnerParts<Input>, value: Value, link: Link): RunResult<Value> => {
    parts.log.end();
    const { journey } = parts;
    return {
      value,
      target: link.target,
      isDegraded: this.#tellDegraded(parts, link),
      attempts: journey.attempts,
      waitedMs: journey.waitedMs,
      totalMs: this.#board.system.elapsed() - journey.startedMs,
      planVersion: journey.course.planVersion,
    };
  };

  readonly #finishStream = (
    parts: RunnerParts<Input>,
    begun: BegunStream<Chunk>,
    link: Link,
  ): StreamResult<Chunk> => {
    const { journey } = parts;
    return {
      [Symbol.asyncIterator]: () => begun.iterate(),
      target: link.target,
      isDegraded: this.#tellDegraded(parts, link),
      get attempts() {
        return journey.attempts;
      },
      waitedMs: journey.waitedMs,
      planVersion: journey.course.planVersion,
    };
  };

  applyPlan(document: unknown): boolean {
    return this.#apply(document).isTaken;
  }

  #apply(document: unknown): AppliedPlan {
    const applied = this.#plans.apply(document);
    this.#board.line.move();
    return applied;
  }

  #follow(source: PlanSource): PlanSync {
    rememberServer(this, source);
    return startPlanSync(source, {
      chain: this.#options.chain.name ?? "default",
      source: this.#options.source,
      system: this.#board.system,
      apply: (document) => this.#apply(document),
      planVersion: () => this.planVersion,
      health: () => this.health(),
    });
  }

  async close(): Promise<void> {
    await this.#sync?.close();
  }

  get planVersion(): number | null {
    return this.#plans.course().planVersion;
  }

  get chain() {
    return this.#plans.course().chain;
  }

  choices(locale?: string): Choice[] {
    return listChoices(this.#plans.course().links, this.#board.system.elapsed(), locale);
  }

  health(): TargetHealth[] {
    return listHealth(this.#plans.course().links, this.#board.system);
  }

  #start(input: Input, options: Omit<RunOptions<never>, "output">, isStream: boolean): RunnerParts<Input> {
    const course = this.#plans.course();
    const deadlineMs = options.deadlineMs ?? this.#options.deadlineMs ?? DEADLINE_MS;
    const kind = isStream ? "stream" : "run";
    if (!isDeadline(deadlineMs)) throw new TypeError(`router.${kind}: deadlineMs ${DEADLINE_RULE}`);
    return {
      input,
      journey: new Journey(
        course,
        withoutUnable(chooseLinks(course, options), this.#unable[kind], kind),
        isStream,
        this.#board.system.elapsed(),
        deadlineMs,
        this.#board.budget,
      ),
      board: this.#board,
      classify: this.#classify,
      log: this.#startLog(options.requestId),
      signal: options.signal,
      tell: options.onStage === undefined ? silent : toTell(options.onStage),
    };
  }

  #tellDegraded({ journey, tell }: RunnerParts<Input>, link: Link): boolean {
    const isDegraded = link !== journey.course.links[0];
    if (isDegraded) tell({ kind: "degraded", target: link.target.id });
    return isDegraded;
  }

  // Providers that cannot be called so are not asked: see withoutUnable.
  readonly #callOf = (provider: string): CallProvider<Input, Output> => {
    const given = this.#options.providers[provider];
    return (typeof given === "function" ? given : given?.run) as CallProvider<Input, Output>;
  };

  readonly #streamOf = (provider: string): StreamProvider<Input, Chunk> =>
    (this.#options.providers[provider] as Provider<Input, Output, Chunk>).stream as StreamProvider<
      Input,
      Chunk
    >;
}

const NO_OPTIONS = {};
const silent = (_: Stage) => {};
const toTell = (onStage: (stage: Stage) => void) => (stage: Stage) => quietly(() => onStage(stage));
