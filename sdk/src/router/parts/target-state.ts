import { OUTCOME_TRAITS, type Outcome } from "../../outcome.ts";
import { getBench } from "./advised-wait.ts";
import { Circuit } from "./circuit.ts";
import { Hold } from "./hold.ts";
import { Latency } from "./latency.ts";
import { AdaptiveLimit, MOST } from "./limiter.ts";
import { Pacer } from "./pacer.ts";
import { createOwnBudget, EARN_PER_OWN_SUCCESS } from "./retry-budget.ts";
import { Score } from "./score.ts";

/**
 * A target that was full is full for some time: at once three quarters of what would go well otherwise do not, and that
 * fades with 2 s. In the simulated world 16 % go well within 0.2 s, 31 % within 1 s, half of them after 4 s.
 */
const STILL_FULL = 0.75;
const FULL_MS = 2_000;
/** By then it has faded. */
const FORGOTTEN_MS = 6 * FULL_MS;

/** How an attempt ended, as far as its target is concerned. */
export interface Ending {
  readonly outcome: Outcome;
  /** The wait that the provider stated. */
  readonly retryAfterMs: number | null;
  readonly latencyMs: number;
}

/** What lets an attempt begin: proof that room was taken, to be given back by `end`, once. */
export interface Slot {
  /** Whether it looks if a benched target is back. */
  readonly isProbe: boolean;
  readonly isStream: boolean;
  readonly startedMs: number;
}

/** All that is known of one target: (provider, model, endpoint, account). Times are of a clock that only goes forward. */
export class TargetState {
  readonly key: string;
  readonly score = new Score();
  readonly circuit = new Circuit();
  readonly limit = new AdaptiveLimit();
  readonly hold = new Hold();
  readonly latency = new Latency();
  readonly firstTokenLatency = new Latency();
  readonly ownBudget = createOwnBudget();
  /** Own calls under way. */
  inFlight = 0;
  /** When it was asked last. */
  lastTryMs = Number.NEGATIVE_INFINITY;
  maxConcurrency = MOST;
  /** When it said last that it is full, unless it has answered since. */
  #fullAtMs = Number.NEGATIVE_INFINITY;
  #probes = 0;
  #pacer: Pacer | null = null;
  #perMinute: number | undefined;

  constructor(key: string) {
    this.key = key;
  }

  /** Takes over what the chain says of the target's own limits. */
  configure(maxConcurrency: number | undefined, perMinute: number | undefined, nowMs: number): void {
    this.maxConcurrency = Math.min(MOST, Math.max(1, Math.floor(maxConcurrency ?? MOST)));
    if (perMinute === this.#perMinute) return;
    this.#perMinute = perMinute;
    this.#pacer = perMinute === undefined ? null : new Pacer(perMinute, nowMs);
  }

  get limitNow(): number {
    return this.limit.allowed(this.maxConcurrency);
  }

  latencyOf(isStream: boolean): Latency {
    return isStream ? this.firstTokenLatency : this.latency;
  }

  /** Expected success share of an attempt now, in (0, 1): who was full a moment ago mostly still is. */
  expect(nowMs: number): number {
    return this.score.expect(nowMs) * this.room(nowMs);
  }

  /** How likely it has room again since it was full, in (0, 1]; 1 when it was not, or has answered since. */
  room(nowMs: number): number {
    const agoMs = nowMs - this.#fullAtMs;
    return agoMs > FORGOTTEN_MS ? 1 : 1 - STILL_FULL * Math.exp(-agoMs / FULL_MS);
  }

  /** Whether an attempt now would be a probe: of a hold that is not over, or of a half-open circuit. */
  isProbing(nowMs: number): boolean {
    return nowMs < this.hold.until || this.circuit.state(nowMs) === "halfOpen";
  }

  /**
   * When an attempt may begin as far as time decides: now, later, or `Infinity` when only the end of another attempt
   * can make room.
   *
   * @param mayProbe whether it has time to spare to find out if the target is back
   * @param isDesperate whether everything is benched: an open circuit is no reason not to ask then
   */
  readyAt(nowMs: number, mayProbe: boolean, isDesperate: boolean): number {
    if (this.inFlight >= this.limitNow) return Number.POSITIVE_INFINITY;
    const heldUntil = this.hold.until;
    if (nowMs < heldUntil) {
      const probeAt = mayProbe && this.#probes === 0 ? this.hold.probeAt() : heldUntil;
      if (nowMs < probeAt) return Math.min(probeAt, heldUntil);
    } else if (!isDesperate) {
      const circuit = this.circuit.state(nowMs);
      if (circuit !== "closed" && nowMs < this.circuit.probeAt) return this.circuit.probeAt;
      if (circuit === "halfOpen" && this.#probes > 0) return Number.POSITIVE_INFINITY;
    }
    return this.#pacer?.readyAt(nowMs) ?? nowMs;
  }

  begin(nowMs: number, isStream: boolean): Slot {
    const isProbe = this.isProbing(nowMs) && this.#probes === 0;
    this.inFlight++;
    this.lastTryMs = nowMs;
    this.#pacer?.take(nowMs);
    if (isProbe) {
      this.#probes++;
      if (nowMs < this.hold.until) this.hold.probed(nowMs);
    }
    return { isProbe, isStream, startedMs: nowMs };
  }

  /**
   * Gives the room back and learns from how it went. An abort and the caller's own faults are neither success nor
   * failure; a rate limit is our own doing and never touches the score.
   */
  end(slot: Slot, ending: Ending, nowMs: number, random: () => number): void {
    this.inFlight--;
    if (slot.isProbe) this.#probes--;
    const { outcome } = ending;
    if (outcome === "ok" || outcome === "bad_output") this.#succeeded(slot, ending, nowMs);
    else if (isEvidence(outcome)) this.#failed(slot, ending, nowMs, random);
    else if (outcome === "rate_limit") this.#pacer?.empty();
  }

  /** Leaves the target alone as the failure demands. @returns whether it does */
  bench(ending: Ending, nowMs: number, random: () => number): boolean {
    const bench = getBench(ending.outcome, ending.retryAfterMs, random);
    if (bench === null) return false;
    this.hold.bench(bench, nowMs, ending.outcome, ending.retryAfterMs !== null);
    return true;
  }

  #succeeded(slot: Slot, { latencyMs }: Ending, nowMs: number): void {
    this.score.success(nowMs);
    this.#fullAtMs = Number.NEGATIVE_INFINITY;
    this.ownBudget.earn(EARN_PER_OWN_SUCCESS);
    this.latencyOf(slot.isStream).answered(latencyMs);
    this.limit.success(nowMs, this.inFlight, this.maxConcurrency);
    if (slot.isProbe) this.hold.lift();
    if (this.circuit.success(nowMs, slot.isProbe)) {
      this.score.forgive();
      this.limit.restored();
    }
  }

  #failed(slot: Slot, { latencyMs, outcome }: Ending, nowMs: number, random: () => number): void {
    this.score.failure(nowMs);
    if (outcome === "capacity") this.#fullAtMs = nowMs;
    this.latencyOf(slot.isStream).failed(latencyMs);
    this.limit.failure(nowMs, this.inFlight, outcome === "timeout", this.maxConcurrency);
    const seen = {
      consecutive: this.score.consecutive,
      shareBefore: this.score.shareBefore,
    };
    if (this.circuit.failure(nowMs, slot.isProbe, seen, random)) this.limit.opened();
  }
}

/** Whether a failure says that the target is in trouble. */
export function isEvidence(outcome: Outcome): boolean {
  const { severity, fault } = OUTCOME_TRAITS[outcome];
  return severity === "soft" && fault !== "caller";
}
