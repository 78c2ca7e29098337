import { createUuidV7 } from "../../report/uuid-v7.ts";
import type { PlanProblem } from "../plan/plan-document.ts";
import type { RouterSystem } from "../system.ts";
import type { TargetHealth } from "../types.ts";
import { createHeartbeats, type Heartbeats } from "./heartbeats.ts";
import { judgePlanAnswer, type PlanVerdict } from "./judge-answer.ts";
import { getPauseAfterAnswer, getPauseAfterFailure } from "./pauses.ts";
import { type PlanSource, type PlanSourceProblem, readPlanSource } from "./plan-source.ts";
import { formatKeptPlan, parseKeptPlan } from "./plan-store.ts";
import { describeFault, sendWithin } from "./send-within.ts";
import { createTransport, type SyncAnswer, type Transport } from "./transport.ts";

/** How long a server may hold a request for news; within what proxies usually allow. */
const WAIT_SECONDS = 25;
const GRACE_MS = 10_000;

/** What the sync needs of its router. */
export interface SyncedRouter {
  readonly chain: string;
  readonly source: string | undefined;
  readonly system: RouterSystem;
  /** @returns whether the plan is in force now, and what was wrong with it */
  apply(document: unknown): { readonly isTaken: boolean; readonly problems: readonly PlanProblem[] };
  planVersion(): number | null;
  health(): TargetHealth[];
}

/** Keeps a router's plan the published one, beside its requests: none of them ever waits for it. */
export interface PlanSync {
  /** Breaks off what is under way; the plan in force stays. */
  close(): Promise<void>;
}

const CLOSED: PlanSync = { close: async () => {} };

/** @param transport how to talk to the server; for tests */
export function startPlanSync(
  source: PlanSource,
  router: SyncedRouter,
  transport: Transport = createTransport(source.fetch),
): PlanSync {
  const tell = createTeller(source);
  const settings = readPlanSource(source);
  if ("fault" in settings) {
    tell({ code: "bad_setting", message: `${settings.fault}; the router goes by the chain in code` });
    return CLOSED;
  }
  return new ServerSync(source, settings.base, router, transport, tell);
}

/** Tells each kind of problem once; who is told may do what they like. */
function createTeller({ onProblem }: PlanSource): (problem: PlanSourceProblem) => void {
  const told = new Set<string>();
  return (problem) => {
    if (told.has(problem.code)) return;
    told.add(problem.code);
    try {
      if (onProblem !== undefined) onProblem(problem);
      // biome-ignore lint/suspicious/noConsole: the one place where a library without a logger can speak
      else console.warn(`busyhour: plan: ${problem.message} (${problem.code}; said once)`);
    } catch {
      // A fault of the listener's is none of the router's.
    }
  };
}

class ServerSync implements PlanSync {
  readonly #source: PlanSource;
  readonly #base: string;
  readonly #router: SyncedRouter;
  readonly #transport: Transport;
  readonly #tell: (problem: PlanSourceProblem) => void;
  readonly #heartbeats: Heartbeats;
  readonly #abort = new AbortController();
  #etag: string | null = null;
  #failures = 0;
  #stopTimer = () => {};
  #writing: Promise<void> = Promise.resolve();

  constructor(
    source: PlanSource,
    base: string,
    router: SyncedRouter,
    transport: Transport,
    tell: (problem: PlanSourceProblem) => void,
  ) {
    this.#source = source;
    this.#base = base;
    this.#router = router;
    this.#transport = transport;
    this.#tell = tell;
    const { system } = router;
    this.#heartbeats = createHeartbeats({
      instance: source.instance ?? createUuidV7((bytes) => system.fillRandom(bytes))(system.now()),
      router,
      send: (body) => this.#send("POST", "/v1/routers", GRACE_MS, { body }),
      onRefused: (status, words) => {
        const message = `the server does not take what the router says of itself (${status}${words})`;
        tell({ code: "refused", message });
      },
    });
    this.#begin();
  }

  async close(): Promise<void> {
    this.#abort.abort();
    this.#stopTimer();
    this.#heartbeats.stop();
    await this.#writing;
  }

  /** The kept plan comes first; where the store answers at once, before any request. */
  #begin(): void {
    const ask = () => this.#later(0);
    try {
      const kept = this.#source.store?.read();
      if (typeof kept === "object" && kept !== null) {
        void Promise.resolve(kept)
          .then((text) => this.#restore(text), this.#onStoreFault)
          .then(ask);
        return;
      }
      this.#restore(kept ?? null);
    } catch (error) {
      this.#onStoreFault(error);
    }
    ask();
  }

  #restore(text: string | null): void {
    if (text === null || this.#abort.signal.aborted) return;
    const kept = parseKeptPlan(text, this.#router.chain);
    if ("fault" in kept) {
      this.#tell({ code: "store", message: `${kept.fault}; it is passed over` });
      return;
    }
    // One that the code cannot use any more is asked for again.
    if (this.#router.apply(kept.plan).isTaken) this.#etag = kept.etag;
  }

  readonly #onStoreFault = (error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    this.#tell({ code: "store", message: `the plan cannot be kept: ${why}` });
  };

  #later(delayMs: number): void {
    if (this.#abort.signal.aborted) return;
    this.#stopTimer = this.#router.system.setTimer(() => void this.#ask(), delayMs, true);
  }

  async #ask(): Promise<void> {
    const { system } = this.#router;
    const startedMs = system.elapsed();
    const verdict = await this.#poll();
    if (this.#abort.signal.aborted) return;
    const random = () => system.random();
    if (verdict.kind === "later") {
      this.#failures++;
      this.#heartbeats.pause();
      this.#tell(verdict.problem);
      this.#later(getPauseAfterFailure({ ...verdict, failures: this.#failures }, random));
      return;
    }
    this.#failures = 0;
    if (verdict.kind === "plan") this.#take(verdict.plan, verdict.etag);
    this.#heartbeats.resume();
    this.#later(getPauseAfterAnswer(system.elapsed() - startedMs, random));
  }

  async #poll(): Promise<PlanVerdict> {
    const wait = this.#etag === null || !this.#transport.mayWait ? 0 : WAIT_SECONDS;
    const path = `/v1/plan?chain=${encodeURIComponent(this.#router.chain)}&wait=${wait}`;
    const headers = this.#etag === null ? {} : { "if-none-match": this.#etag };
    try {
      const answer = await this.#send("GET", path, wait * 1_000 + GRACE_MS, { headers });
      return judgePlanAnswer(answer, this.#router.system.now());
    } catch (error) {
      const problem = {
        code: "unreachable",
        message: `the server cannot be reached (${describeFault(error)})`,
      } as const;
      return { kind: "later", problem, askedMs: null, isLasting: false };
    }
  }

  /** A plan that cannot be used is not asked for again: the next one is waited for. */
  #take(plan: unknown, etag: string | null): void {
    this.#etag = etag;
    // Version 0: nothing was published. What is in force stays, were it the last plan of a server that has lost its own.
    if ((plan as { version: unknown }).version === 0) return;
    const { isTaken, problems } = this.#router.apply(plan);
    this.#heartbeats.onPlan(problems);
    if (isTaken) this.#keep(formatKeptPlan(this.#router.chain, { etag, plan }));
  }

  /** One after the other, so that the last one stays. */
  #keep(text: string): void {
    const { store } = this.#source;
    if (store === undefined) return;
    this.#writing = this.#writing.then(() => store.write(text)).catch(this.#onStoreFault);
  }

  async #send(
    method: "GET" | "POST",
    path: string,
    timeoutMs: number,
    { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: string },
  ): Promise<SyncAnswer> {
    const request = {
      method,
      url: this.#base + path,
      headers: {
        ...headers,
        authorization: `Bearer ${this.#source.key.trim()}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body }),
    };
    return sendWithin(this.#transport, this.#router.system, request, timeoutMs, this.#abort.signal, true);
  }
}
