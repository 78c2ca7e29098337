import { Rest } from "../batch/rest.ts";
import { quietly } from "../observe/body-watch.ts";
import { type Attempt, type AttemptEnd, createAttempt } from "./attempt.ts";
import { type Ending, STOPPED } from "./ending.ts";
import { judgeEnd } from "./judge-end.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { createNotary, type Notary } from "./notary.ts";
import type { QueueAnswer } from "./queue-client.ts";
import { Room, type Step } from "./room.ts";
import { Supply } from "./supply.ts";
import { type Counted, createProblemTeller, WorkTally } from "./tally.ts";
import type { QueueJob, QueueWorker, WorkProblem, WorkStats, WorkWaiting } from "./types.ts";
import type { LeasedJob, WorkerParts } from "./worker-parts.ts";

/** A job that is under way. */
interface Work<Payload> {
  readonly job: LeasedJob<Payload>;
  readonly controller: AbortController;
  /** Why it was called off; `null`: it was not. */
  calledOff: "lost" | "cancelled" | "stopped" | null;
}

/** What cannot be begun within this is given back. */
const KEPT_MS = 10_000;

/** One worker: a loop that leases as many jobs as there is room for, and begins them. Nothing gets out of it. */
export class Worker<Payload> implements QueueWorker {
  readonly #parts: WorkerParts<Payload>;
  readonly #attempt: Attempt<Payload>;
  readonly #room: Room;
  readonly #rest: Rest;
  readonly #keeper: LeaseKeeper;
  readonly #notary: Notary;
  readonly #tally = new WorkTally();
  readonly #tell: (problem: WorkProblem) => void;
  readonly #underWay = new Map<string, Work<Payload>>();
  readonly #supply: Supply<Payload>;
  #successes = 0;
  #waiting: WorkStats["waiting"] = null;
  #stopAtMs: number | null = null;
  readonly done: Promise<WorkStats>;

  constructor(parts: WorkerParts<Payload>) {
    const { options, settings, client, system } = parts;
    this.#parts = parts;
    this.#attempt = createAttempt(parts.handler, options, system);
    this.#room = new Room(system, settings.concurrency, options.router);
    this.#rest = new Rest(system);
    this.#supply = new Supply({
      parts,
      countedOn: () => this.#room.countedOn,
      onLeased: (job) => this.#hold(job),
      onProblem: (answer) => this.#hearProblem(answer, null),
      onAnswer: () => {
        this.#room.isPressed = this.#supply.isPressed;
        this.#progress();
        this.#rest.wake();
      },
    });
    this.#tell = createProblemTeller(options.onProblem);
    this.#keeper = new LeaseKeeper({
      client,
      worker: settings.name,
      leaseMs: settings.leaseMs,
      system,
      onAnswer: (answer) => this.#hearProblem(answer, null),
    });
    this.#notary = createNotary({
      client,
      system,
      onAnswer: (answer, job) => this.#hearProblem(answer, job),
      untilMs: () => this.#stopAtMs ?? Number.POSITIVE_INFINITY,
    });
    this.done = this.#run();
  }

  get name(): string {
    return this.#parts.settings.name;
  }

  stats(): WorkStats {
    const waiting =
      this.#stopAtMs === null
        ? this.#waiting
        : { why: "stopping" as const, until: this.#epochOf(this.#stopAtMs) };
    return this.#tally.with({ inFlight: this.#underWay.size, concurrency: this.#room.allowed, waiting });
  }

  stop(): Promise<WorkStats> {
    if (this.#stopAtMs === null) {
      this.#stopAtMs = this.#parts.system.elapsed() + this.#parts.settings.graceMs;
      this.#supply.close();
      this.#notary.wake();
      this.#rest.wake();
      this.#progress();
    }
    return this.done;
  }

  async #run(): Promise<WorkStats> {
    const { signal } = this.#parts.options;
    const onSignal = () => void this.stop();
    // The caller has the worker before anything happens.
    await Promise.resolve();
    signal?.addEventListener("abort", onSignal);
    if (signal?.aborted) onSignal();
    while (this.#stopAtMs === null) await this.#step();
    await this.#windDown(this.#stopAtMs);
    signal?.removeEventListener("abort", onSignal);
    return this.stats();
  }

  /** Begins what is in hand, asks for more, or waits for what must come first. */
  async #step(): Promise<void> {
    const nowMs = this.#parts.system.elapsed();
    const room = this.#room.now(this.#underWay.size);
    const free = room.most - this.#underWay.size;
    const next = free > 0 ? this.#supply.take() : undefined;
    if (next !== undefined) {
      void this.#work(next);
      return;
    }
    // Others may have room, or it is there for them later.
    if (free <= 0 && room.nextMs - nowMs > KEPT_MS) this.#giveBack();
    const at = free > 0 ? this.#supply.nextMs : room.nextMs;
    const why = this.#whyIdle(free, room.why);
    this.#waiting = why === null ? null : { why, until: at > nowMs ? this.#epochOf(at) : null };
    const isToAsk = free > 0 && !this.#supply.isAsking;
    if (isToAsk && at <= nowMs) void this.#supply.ask(free);
    await this.#rest.until(free > 0 && (!isToAsk || at <= nowMs) ? Number.POSITIVE_INFINITY : at);
  }

  #whyIdle(free: number, why: WorkWaiting | null): WorkWaiting | null {
    if (free <= 0) return this.#underWay.size > 0 && why === null ? null : why;
    if (this.#supply.isServerAway) return "noServer";
    return this.#underWay.size === 0 && this.#supply.isQueueEmpty ? "noJobs" : null;
  }

  #hold(job: LeasedJob<Payload>): void {
    this.#keeper.hold({
      id: job.id,
      token: job.token,
      onCancel: () => {
        if (this.#supply.drop(job)) void this.#note(job, STOPPED, "cancelled");
        else this.#callOff(job.token, "cancelled");
      },
      onLost: () => {
        this.#keeper.drop(job);
        if (this.#supply.drop(job)) this.#tally.counts.lost++;
        else this.#callOff(job.token, "lost");
      },
    });
  }

  #callOff(token: string, why: "lost" | "cancelled" | "stopped"): void {
    const work = this.#underWay.get(token);
    if (work === undefined || work.calledOff === "lost") return;
    work.calledOff = why;
    const words = {
      lost: "The lease was lost",
      cancelled: "The job was cancelled",
      stopped: "The worker stops",
    };
    work.controller.abort(new DOMException(words[why], "AbortError"));
  }

  #giveBack(): void {
    for (const job of this.#supply.empty()) void this.#note(job, STOPPED, "stopped");
  }

  /** From its beginning until the server knows how it ended. */
  async #work(job: LeasedJob<Payload>): Promise<void> {
    const work: Work<Payload> = { job, controller: new AbortController(), calledOff: null };
    const step = this.#room.begin();
    const successesBefore = this.#successes;
    this.#underWay.set(job.token, work);
    this.#progress();
    const { token: _, ...shown } = job;
    const end = await this.#attempt(shown as unknown as QueueJob<Payload>, work.controller.signal);
    const isAlone = this.#underWay.size === 1 && this.#supply.isQueueEmpty;
    const ending = this.#judge(work, end, step, isAlone || this.#successes > successesBefore);
    this.#rest.wake();
    if (ending === null) {
      this.#keeper.drop(job);
      this.#tally.counts.lost++;
    } else await this.#note(job, ending, countedAs(ending, work.calledOff));
    this.#underWay.delete(job.token);
    this.#progress();
    this.#rest.wake();
  }

  /** @returns `null` where there is nobody any more to tell */
  #judge({ job, calledOff }: Work<Payload>, end: AttemptEnd, step: Step, isOwn: boolean): Ending | null {
    const judged = judgeEnd(end, job, isOwn, () => this.#parts.system.random());
    if (calledOff !== null && judged.pace.is !== "went") {
      this.#room.ended(step);
      return calledOff === "lost" ? null : STOPPED;
    }
    const inFlight = this.#underWay.size - 1;
    if (judged.pace.is === "went") {
      this.#successes++;
      this.#room.success(step, inFlight);
    } else if (judged.pace.is === "full") {
      this.#room.failure(step, judged.pace.outcome, judged.pace.advisedMs, inFlight);
    } else this.#room.ended(step);
    if (judged.problem !== null) this.#tell({ ...judged.problem, job: job.id });
    return judged.ending;
  }

  async #note(job: LeasedJob<Payload>, ending: Ending, counted: Counted): Promise<void> {
    const fate = await this.#notary.note(job, ending);
    this.#keeper.drop(job);
    if (fate === "noted") this.#tally.counts[counted]++;
    else this.#tally.counts.lost++;
    this.#rest.wake();
  }

  #hearProblem(answer: QueueAnswer, job: number | null): void {
    if (answer.is === "later") this.#tell({ ...answer.problem, job });
    else if (answer.is === "refused" && answer.code !== "lease_lost")
      this.#tell({
        code: "refused",
        message: `the server refused it (${answer.status}${answer.words})`,
        job,
      });
  }

  /** Lets what is under way finish within the time of grace, and calls it off then. */
  async #windDown(untilMs: number): Promise<void> {
    const { system } = this.#parts;
    const isBusy = () => this.#underWay.size > 0 || this.#supply.isAsking || this.#notary.pending > 0;
    for (let isCalledOff = false; ; ) {
      this.#giveBack();
      if (!isBusy()) return;
      const nowMs = system.elapsed();
      if (nowMs >= untilMs && !isCalledOff) {
        isCalledOff = true;
        for (const token of this.#underWay.keys()) this.#callOff(token, "stopped");
      }
      await this.#rest.until(isCalledOff ? Number.POSITIVE_INFINITY : untilMs);
    }
  }

  #epochOf(ms: number): number | null {
    const { system } = this.#parts;
    return Number.isFinite(ms) ? Math.round(system.now() + ms - system.elapsed()) : null;
  }

  #progress(): void {
    const { onProgress } = this.#parts.options;
    if (onProgress !== undefined) quietly(() => onProgress(this.stats()));
  }
}

function countedAs({ verb, body }: Ending, calledOff: Work<unknown>["calledOff"]): Counted {
  if (verb === "complete") return "completed";
  return calledOff ?? (verb === "fail" ? "failed" : body.reason);
}
