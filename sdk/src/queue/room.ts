import { Pause } from "../batch/pause.ts";
import type { Outcome } from "../outcome.ts";
import { AdaptiveLimit } from "../router/parts/limiter.ts";
import type { RouterSystem } from "../router/system.ts";
import type { TargetHealth } from "../router/types.ts";
import { PatientLimit } from "./patient-limit.ts";

/** When a router whose targets all rest, without saying how long, is looked at again. */
const LOOK_AGAIN_MS = 2_000;

/** A queue that knows nothing of a worker yet counts on so many at once: on fewer, it would let go all that waits at once. */
const COUNTED_ON_AT_FIRST = 16;

/** How much may be under way now, and when that may change. */
export interface RoomNow {
  /** Jobs that may be under way at once; 0: none may begin. */
  readonly most: number;
  /** When more may be, on the clock of `elapsed`; `Infinity`: when something ends. */
  readonly nextMs: number;
  readonly why: Outcome | "noRoom" | null;
}

/** An attempt, as the pace sees it. */
export interface Step {
  readonly startedMs: number;
  readonly isProbe: boolean;
}

/**
 * The pace of a worker: patient while its jobs can wait, that of a batch when their latest time comes; its pauses are those
 * of a batch; and beside them what a router knows of its targets.
 */
export class Room {
  readonly #system: RouterSystem;
  readonly #concurrency: number;
  readonly #router: { health(): readonly TargetHealth[] } | undefined;
  readonly #patient = new PatientLimit();
  readonly #urgent = new AdaptiveLimit();
  readonly #pause: Pause;
  /** Whether the jobs that were leased last can wait no longer. */
  isPressed = false;

  constructor(
    system: RouterSystem,
    concurrency: number,
    router: { health(): readonly TargetHealth[] } | undefined,
  ) {
    this.#system = system;
    this.#concurrency = concurrency;
    this.#router = router;
    this.#pause = new Pause(() => system.random());
  }

  /** Jobs at once, as learnt until now. */
  get allowed(): number {
    const patient = this.#patient.allowed(this.#concurrency);
    return this.isPressed ? Math.max(patient, this.#urgent.allowed(this.#concurrency)) : patient;
  }

  /**
   * Jobs at once that the queue may count on: what is done without want of room. More may be tried where time presses, but a
   * queue that counted on it would begin too late.
   */
  get countedOn(): number {
    const least = this.#patient.isProven ? 1 : Math.min(this.#concurrency, COUNTED_ON_AT_FIRST);
    return Math.max(least, this.#patient.allowed(this.#concurrency));
  }

  /** @param inFlight jobs under way */
  now(inFlight: number): RoomNow {
    const nowMs = this.#system.elapsed();
    const pausedUntil = this.#pause.nextAt(nowMs);
    if (pausedUntil > nowMs) return { most: 0, nextMs: pausedUntil, why: this.#pause.why(nowMs) ?? "noRoom" };
    // One goes ahead after a pause.
    const most = this.#pause.isOver ? this.allowed : inFlight + 1;
    return this.#router === undefined
      ? { most, nextMs: Number.POSITIVE_INFINITY, why: null }
      : this.#withRouter(most, inFlight, this.#router.health());
  }

  #withRouter(most: number, inFlight: number, health: readonly TargetHealth[]): RoomNow {
    const nowMs = this.#system.elapsed();
    const usable = health.filter(({ state }) => state === "ready" || state === "busy");
    if (usable.length === 0) {
      const epochMs = this.#system.now();
      const waits = health.flatMap(({ heldUntil }) => (heldUntil === null ? [] : [heldUntil - epochMs]));
      const waitMs = Math.max(100, Math.min(LOOK_AGAIN_MS, ...waits));
      return { most: 0, nextMs: nowMs + waitMs, why: "noRoom" };
    }
    // Others ask the same router; what they leave is ours, and one at least: a job whose latest time comes must run.
    const free = usable.reduce((sum, { limit, inFlight: used }) => sum + Math.max(0, limit - used), 0);
    const room = Math.min(most, Math.max(1, inFlight + free));
    return { most: room, nextMs: room < most ? nowMs + LOOK_AGAIN_MS : Number.POSITIVE_INFINITY, why: null };
  }

  begin(): Step {
    const startedMs = this.#system.elapsed();
    return { startedMs, isProbe: this.#pause.begin(startedMs) };
  }

  /** @param inFlight jobs under way after this one */
  success({ isProbe }: Step, inFlight: number): void {
    this.#pause.success(isProbe);
    const nowMs = this.#system.elapsed();
    this.#patient.success(nowMs, inFlight, this.#concurrency);
    this.#urgent.success(nowMs, inFlight, this.#concurrency);
  }

  /** It found no room, or what may be everybody's trouble. */
  failure({ isProbe, startedMs }: Step, outcome: Outcome, advisedMs: number | null, inFlight: number): void {
    const nowMs = this.#system.elapsed();
    if (outcome !== "unknown") {
      this.#patient.failure(startedMs, nowMs);
      this.#urgent.failure(nowMs, inFlight, outcome === "timeout", this.#concurrency);
    }
    this.#pause.failure(outcome, advisedMs, isProbe, startedMs, nowMs);
  }

  /** It says nothing of the room there is. */
  ended({ isProbe }: Step): void {
    this.#pause.ended(isProbe);
  }
}
