import type { VirtualTime } from "../router/virtual-time.ts";

/** A job as a test submits it. */
export interface ScriptedJob {
  readonly key?: string;
  readonly payload?: unknown;
  readonly maxAttempts?: number;
  readonly target?: { provider: string; model: string; endpoint: string | null };
  /** By then it is ready, whatever the gate says; on the clock of `elapsed`. */
  readonly dueMs?: number;
}

/** How a lease ended, as the server's own rules see it. */
export type LeaseEnd =
  | { readonly is: "completed" }
  | { readonly is: "failed"; readonly isFinal: boolean; readonly delayMs: number | null }
  | { readonly is: "busy" | "stopped"; readonly delayMs: number | null }
  | { readonly is: "lost" };

export interface KeptJob {
  readonly id: number;
  readonly job: ScriptedJob;
  state: "waiting" | "leased" | "completed" | "dead" | "cancelled";
  readyMs: number;
  token: string | null;
  leasedUntilMs: number;
  worker: string | null;
  attempts: number;
  failures: number;
  busy: number;
  finishedMs: number | null;
  isCancelAsked: boolean;
  /** What happened to it. */
  readonly life: string[];
  result: unknown;
}

export interface ScriptedQueueOptions {
  /** What becomes of a job, where it waits again: milliseconds. Default: none. */
  readonly pauseMs?: (job: KeptJob, end: LeaseEnd) => number;
  /** Whether what is not due may go. Default: always. */
  readonly isOpen?: () => boolean;
  /** What is due before this is ready, on the clock of `elapsed`. Default: now. */
  readonly dueBeforeMs?: () => number;
  readonly onLeased?: (job: KeptJob) => void;
  /** How often it looks again while somebody waits, in milliseconds. */
  readonly everyMs?: number;
}

interface Waiter {
  readonly limit: number;
  readonly worker: string;
  readonly leaseMs: number;
  readonly answer: (jobs: KeptJob[]) => void;
}

const EXPECTED_MS = 60_000;

type Body = Readonly<Record<string, unknown>>;

/** The queue of a Busyhour server, in memory and in virtual time; given to workers as their `fetch`. */
export class ScriptedQueue {
  readonly #time: VirtualTime;
  readonly #options: ScriptedQueueOptions;
  readonly jobs: KeptJob[] = [];
  /** Ids, in order, of those that were never leased; read from `#next` on. */
  readonly #fresh: KeptJob[] = [];
  #next = 0;
  /** Those that were put back. */
  readonly #returned: KeptJob[] = [];
  readonly #leased = new Set<KeptJob>();
  readonly #waiters = new Set<Waiter>();
  #isLooking = false;
  /** Answers with this status instead; `away`: not at all; `null`: as it should. */
  mode: "away" | number | null = null;
  /** Paths asked for, with what was sent. */
  readonly heard: { readonly atMs: number; readonly path: string; readonly body: Body }[] = [];
  isListening = true;
  /** What each worker said last that it can do at once. */
  readonly concurrency = new Map<string, number>();

  constructor(time: VirtualTime, options: ScriptedQueueOptions = {}) {
    this.#time = time;
    this.#options = options;
  }

  submit(...jobs: ScriptedJob[]): KeptJob[] {
    const kept = jobs.map(
      (job, at): KeptJob => ({
        id: this.jobs.length + at + 1,
        job,
        state: "waiting",
        readyMs: 0,
        token: null,
        leasedUntilMs: 0,
        worker: null,
        attempts: 0,
        failures: 0,
        busy: 0,
        finishedMs: null,
        isCancelAsked: false,
        life: [],
        result: null,
      }),
    );
    for (const one of kept) {
      this.jobs.push(one);
      this.#fresh.push(one);
    }
    this.#look();
    return kept;
  }

  get waiting(): number {
    return this.#fresh.length - this.#next + this.#returned.length;
  }

  readonly fetch = (async (input: string, init: RequestInit) => {
    const pathname = new URL(input).pathname.replace(/^.*(?=\/v1\/)/, "");
    const body = JSON.parse(String(init.body)) as Body;
    if (this.isListening) this.heard.push({ atMs: this.#time.elapsed(), path: pathname, body });
    if (this.mode === "away") throw new TypeError("fetch failed");
    if (this.mode !== null) return answer(this.mode, { code: "nope", title: "Not now" });
    this.#sweep();
    if (pathname === "/v1/jobs/lease") return this.#lease(body, init.signal as AbortSignal);
    if (pathname === "/v1/jobs/extend") return answer(200, this.#extend(body));
    const [, id, verb = ""] = /^\/v1\/jobs\/(\d+)\/(complete|fail|release)$/.exec(pathname) ?? [];
    const job = this.jobs[Number(id) - 1];
    if (job === undefined) return answer(404, { code: "no_such_job", title: "There is no such job" });
    if (job.token !== body["token"])
      return answer(409, { code: "lease_lost", title: "The lease had ended before" });
    if (job.state === "leased") this.#end(job, readEnd(verb, body), body["result"]);
    return answer(200, { id: job.id, state: job.state, readyAt: null });
  }) as unknown as typeof globalThis.fetch;

  #lease(body: Body, signal: AbortSignal): Promise<Response> {
    const { limit, worker, leaseMs, wait, concurrency } = body as {
      limit: number;
      worker: string;
      leaseMs: number;
      wait: number;
      concurrency: number;
    };
    this.concurrency.set(worker, concurrency);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        limit,
        worker,
        leaseMs,
        answer: (jobs) => {
          this.#waiters.delete(waiter);
          stopTimer();
          const shown = jobs.map((job) => this.#show(job));
          resolve(answer(200, { jobs: shown, now: this.#iso(this.#time.elapsed()), nextAt: null }));
        },
      };
      const stopTimer = this.#time.setTimer(() => waiter.answer([]), wait * 1_000);
      signal.addEventListener("abort", () => {
        this.#waiters.delete(waiter);
        stopTimer();
        reject(signal.reason);
      });
      this.#waiters.add(waiter);
      this.#look();
    });
  }

  /** Shares what is ready among those who wait. */
  #look(): void {
    this.#sweep();
    for (const waiter of [...this.#waiters]) {
      const jobs: KeptJob[] = [];
      for (let job = this.#take(); job !== null; job = this.#take()) {
        this.#give(job, waiter);
        jobs.push(job);
        if (jobs.length === waiter.limit) break;
      }
      if (jobs.length > 0) waiter.answer(jobs);
    }
    if (this.#waiters.size === 0 || this.#isLooking || this.#isIdle) return;
    this.#isLooking = true;
    this.#time.setTimer(() => {
      this.#isLooking = false;
      this.#look();
    }, this.#options.everyMs ?? 1_000);
  }

  /** Nothing can become ready by itself. */
  get #isIdle(): boolean {
    return this.waiting === 0 && this.#leased.size === 0;
  }

  #take(): KeptJob | null {
    const nowMs = this.#time.elapsed();
    const isOpen = this.#options.isOpen?.() ?? true;
    const dueBefore = Math.max(nowMs, this.#options.dueBeforeMs?.() ?? nowMs);
    const isReady = ({ readyMs, job }: KeptJob) =>
      readyMs <= nowMs && (isOpen || (job.dueMs ?? Number.POSITIVE_INFINITY) <= dueBefore);
    const at = this.#returned.findIndex(isReady);
    if (at !== -1) return this.#returned.splice(at, 1)[0] ?? null;
    for (let next = this.#fresh[this.#next]; next !== undefined; next = this.#fresh[this.#next]) {
      if (next.state !== "waiting") this.#next++;
      else if (isReady(next)) {
        this.#next++;
        return next;
      } else return null;
    }
    return null;
  }

  #give(job: KeptJob, { worker, leaseMs }: Waiter): void {
    job.state = "leased";
    job.token = `${job.id}-${++job.attempts}`;
    job.worker = worker;
    job.leasedUntilMs = this.#time.elapsed() + leaseMs;
    job.life.push(`leased by ${worker}`);
    this.#leased.add(job);
    this.#options.onLeased?.(job);
  }

  #extend({ leases, leaseMs }: Body): object {
    const told = (leases as { id: number; token: string }[]).map(({ id, token }) => {
      const job = this.jobs[id - 1];
      if (job === undefined || job.token !== token || job.state !== "leased") return { id, is: "lost" };
      job.leasedUntilMs = this.#time.elapsed() + Number(leaseMs);
      return { id, is: job.isCancelAsked ? "cancel" : "held" };
    });
    return { now: "", leases: told };
  }

  #end(job: KeptJob, end: LeaseEnd, result: unknown): void {
    this.#leased.delete(job);
    job.life.push(end.is);
    if (end.is === "failed" || end.is === "lost") job.failures++;
    if (end.is === "busy") job.busy++;
    const isOver = (job.job.maxAttempts ?? 5) <= job.failures || (end.is === "failed" && end.isFinal);
    job.state =
      end.is === "completed"
        ? "completed"
        : job.isCancelAsked
          ? "cancelled"
          : isOver && (end.is === "failed" || end.is === "lost")
            ? "dead"
            : "waiting";
    job.result = result ?? null;
    if (end.is === "lost") job.token = null;
    if (job.state !== "waiting") {
      job.finishedMs = this.#time.elapsed();
      return;
    }
    job.readyMs = this.#time.elapsed() + (this.#options.pauseMs?.(job, end) ?? 0);
    this.#returned.push(job);
    if (job.readyMs <= this.#time.elapsed()) this.#look();
  }

  /** Leases of which nothing was heard. */
  #sweep(): void {
    const nowMs = this.#time.elapsed();
    for (const job of this.#leased) if (job.leasedUntilMs < nowMs) this.#end(job, { is: "lost" }, null);
  }

  #iso(ms: number): string {
    return new Date(this.#time.now() - this.#time.elapsed() + ms).toISOString();
  }

  #show({ id, job, token, attempts, failures }: KeptJob): object {
    const nowMs = this.#time.elapsed();
    const dueBefore = Math.max(nowMs, this.#options.dueBeforeMs?.() ?? nowMs);
    return {
      id,
      token,
      leasedUntil: "",
      queue: "q",
      submitter: "tests",
      idempotencyKey: job.key ?? `busyhour-job-${id}`,
      reference: null,
      ...(job.payload === undefined ? {} : { payload: job.payload }),
      target: job.target ?? null,
      chain: null,
      attempt: attempts,
      failures,
      maxAttempts: job.maxAttempts ?? 5,
      notAfter: job.dueMs === undefined ? null : this.#iso(job.dueMs + EXPECTED_MS),
      expectedMs: EXPECTED_MS,
      isDue: (job.dueMs ?? Number.POSITIVE_INFINITY) <= dueBefore,
      submittedAt: "",
    };
  }
}

function readEnd(verb: string, body: Body): LeaseEnd {
  const delayMs = typeof body["delayMs"] === "number" ? body["delayMs"] : null;
  if (verb === "complete") return { is: "completed" };
  if (verb === "fail") return { is: "failed", isFinal: body["isFinal"] === true, delayMs };
  return { is: body["reason"] === "stopped" ? "stopped" : "busy", delayMs };
}

const answer = (status: number, body: object) =>
  ({ status, headers: new Headers(), text: async () => JSON.stringify(body) }) as Response;
