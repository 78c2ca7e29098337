import type { Course, Link } from "./course.ts";
import { getIndexOf, TRIED_PENALTY } from "./parts/order.ts";
import type { RetryBudget } from "./parts/retry-budget.ts";
import type { AttemptReport } from "./types.ts";

/** A better target that lost its place is tried again this often, so that it can win it back. */
const CANARY_MS = 45_000;
/** A request that has less left than this does not try out anything. */
const SLACK_MS = 40_000;
const SLACK_SHARE = 2 / 3;
/** Of circuits that are not closed; from here on keeping away helps nobody. */
const PANIC_SHARE = 0.5;
/** Nothing is repeated at a target of which less than this is expected; it is looked at again after a second. */
const LEAST_EXPECTED = 0.2;
const LOOK_AGAIN_MS = 1_000;
/**
 * Room that must be expected at a target that was full a moment ago: from the third attempt on, when few are left, and
 * for first attempts the more, the less there is to pay for those that would follow.
 */
const LEAST_ROOM = 0.8;
const FEW_LEFT = 2;
const LOOK_FOR_ROOM_MS = 250;
/** Part of the price of scarcity that a first attempt pays: it is free itself, what follows it is not. */
const FIRST_PRICE = 0.5;
/** Part of all waiting that may be spent on the retry budget: where that is short, patience only makes all wait. */
const BUDGET_PATIENCE = 0.5;
/** Behind everything that was not tried yet, before what was: the place of what a plan avoids. */
const AVOIDED = -0.9;
/** What stands behind everything else, by index. */
const LAST = -5;
const PROBE_FIRST = 10;

const NONE: readonly AttemptReport[] = [];

interface Tried {
  failures: number;
  /** Until when this request leaves it alone. */
  untilMs: number;
}

/** What a request has been through. Times are of the clock that only goes forward. */
export class Journey {
  readonly course: Course;
  readonly links: readonly Link[];
  readonly isStream: boolean;
  readonly startedMs: number;
  readonly deadlineMs: number;
  attempts: readonly AttemptReport[] = NONE;
  waitedMs = 0;
  /** When the next target that only needs time is ready; `Infinity` when none is. Set by `choose`. */
  nextAt = Number.POSITIVE_INFINITY;
  readonly #budget: RetryBudget;
  #tried: Map<Link, Tried> | null = null;
  #ruledOut: Set<Link> | null = null;

  constructor(
    course: Course,
    links: readonly Link[],
    isStream: boolean,
    startedMs: number,
    deadlineMs: number,
    budget: RetryBudget,
  ) {
    this.course = course;
    this.links = links;
    this.isStream = isStream;
    this.startedMs = startedMs;
    this.deadlineMs = deadlineMs;
    this.#budget = budget;
  }

  get deadlineAt(): number {
    return this.startedMs + this.deadlineMs;
  }

  get isFirst(): boolean {
    return this.attempts.length === 0;
  }

  /** Whether part of the time is kept for another target: one that hangs must not take all of it. */
  get keepsTime(): boolean {
    return this.links.length > 1 && !this.attempts.some(({ outcome }) => outcome === "timeout");
  }

  /** An attempt has ended. Most requests have one: a list of just its length is made for it. */
  note(report: AttemptReport): void {
    if (this.attempts.length === 0) this.attempts = [report];
    else (this.attempts as AttemptReport[]).push(report);
  }

  /** Until when it may wait in line. @param isForBudget whether it waits for what pays for the attempt */
  waitUntil(nowMs: number, isForBudget = false): number {
    const { totalWaitMs } = this.course.retry;
    const leftMs = Math.min(
      totalWaitMs - this.waitedMs,
      isForBudget ? BUDGET_PATIENCE * totalWaitMs : totalWaitMs,
    );
    return Math.min(nowMs + leftMs, this.deadlineAt - Math.min(1_000, 0.1 * this.deadlineMs));
  }

  hasTried(link: Link): boolean {
    return this.#tried?.has(link) ?? false;
  }

  failuresOf(link: Link): number {
    return this.#tried?.get(link)?.failures ?? 0;
  }

  /** It failed here; not again before then. */
  failed(link: Link, untilMs: number): void {
    this.#tried ??= new Map();
    this.#tried.set(link, { failures: this.failuresOf(link) + 1, untilMs });
  }

  /** It is of no use to this request any more. */
  ruleOut(isOut: (link: Link) => boolean): void {
    this.#ruledOut ??= new Set();
    for (const link of this.links) if (isOut(link)) this.#ruledOut.add(link);
  }

  isRuledOut(link: Link): boolean {
    return this.#ruledOut?.has(link) ?? false;
  }

  get isExhausted(): boolean {
    return this.links.every((link) => this.isRuledOut(link));
  }

  /**
   * The target to ask now, or `null` when none may be asked now; `nextAt` then says when time alone will change that.
   * A repetition is paid for elsewhere.
   */
  choose(nowMs: number): Link | null {
    this.nextAt = Number.POSITIVE_INFINITY;
    const leftMs = this.deadlineAt - nowMs;
    if (leftMs <= 0) return null;
    const hasSlack = this.isFirst && leftMs >= Math.min(SLACK_MS, SLACK_SHARE * this.deadlineMs);
    const best = this.#best(nowMs, hasSlack, false);
    if (best === null) return this.#inDespair(nowMs);
    return (hasSlack ? this.#canary(best, nowMs) : null) ?? best;
  }

  /** What is left to pay for further attempts, as far as it counts for this one. */
  get #scarcity(): number {
    return this.isFirst ? FIRST_PRICE * this.#budget.scarcity : this.#budget.scarcity;
  }

  get #leastRoom(): number {
    if (this.isFirst) return LEAST_ROOM * this.#budget.scarcity;
    return this.attempts.length >= FEW_LEFT ? LEAST_ROOM : 0;
  }

  #best(nowMs: number, hasSlack: boolean, isDesperate: boolean): Link | null {
    let best: Link | null = null;
    let highest = Number.NEGATIVE_INFINITY;
    // By place: an iterator is made anew for each request.
    for (let at = 0; at < this.links.length; at++) {
      const link = this.links[at];
      if (link === undefined || !this.#isReady(link, nowMs, hasSlack, isDesperate)) continue;
      const index = this.#index(link, nowMs, hasSlack);
      if (index <= highest) continue;
      highest = index;
      best = link;
    }
    return best;
  }

  #isReady(link: Link, nowMs: number, hasSlack: boolean, isDesperate: boolean): boolean {
    if (this.#ruledOut?.has(link)) return false;
    const { state } = link;
    let at = state.readyAt(nowMs, hasSlack && !link.isAvoided, isDesperate);
    const tried = this.#tried?.get(link);
    if (tried !== undefined)
      at = state.ownBudget.canSpend ? Math.max(at, tried.untilMs) : Number.POSITIVE_INFINITY;
    if (!this.isFirst && state.score.expect(nowMs) < LEAST_EXPECTED) at = Math.max(at, nowMs + LOOK_AGAIN_MS);
    if (state.room(nowMs) < this.#leastRoom) at = Math.max(at, nowMs + LOOK_FOR_ROOM_MS);
    if (at > nowMs) {
      this.nextAt = Math.min(this.nextAt, at);
      return false;
    }
    return this.isFirst || !this.#isTooSlow(link, nowMs);
  }

  /** Whether it rarely answers within what is left. */
  #isTooSlow({ state }: Link, nowMs: number): boolean {
    const latency = state.latencyOf(this.isStream);
    return latency.isKnown && this.deadlineAt - nowMs < latency.quantileMs(0);
  }

  #index(link: Link, nowMs: number, hasSlack: boolean): number {
    if (link.isAvoided) return AVOIDED + 0.1 * link.quality;
    if (link.state.isProbing(nowMs)) return hasSlack ? PROBE_FIRST + link.quality : LAST + link.quality;
    const index = getIndexOf(link.state, link.quality, this.isStream, this.deadlineMs, nowMs, this.#scarcity);
    const late = this.isFirst && this.#isTooSlow(link, nowMs) ? LAST : 0;
    return index - TRIED_PENALTY * this.failuresOf(link) + late;
  }

  /** A better target that nobody has asked for a while. */
  #canary(best: Link, nowMs: number): Link | null {
    for (let at = 0; at < this.links.length; at++) {
      const link = this.links[at];
      if (link === undefined || link.quality <= best.quality || link.isAvoided) continue;
      if (nowMs - link.state.lastTryMs >= CANARY_MS && this.#isReady(link, nowMs, false, false)) return link;
    }
    return null;
  }

  /**
   * The floor, or any other when so many are benched that benching no longer helps. For first attempts alone: to repeat
   * against circuits that are open is what makes storms.
   */
  #inDespair(nowMs: number): Link | null {
    if (!this.isFirst) return null;
    let benched = 0;
    for (const link of this.links) {
      if (link.state.circuit.state(nowMs) !== "closed") benched++;
      if (link.isFloor && this.#isReady(link, nowMs, false, true)) return link;
    }
    return benched >= PANIC_SHARE * this.links.length ? this.#best(nowMs, false, true) : null;
  }

  /** Whether what is left to wait for can still come in time. */
  isHopeless(nowMs: number): boolean {
    if (this.isExhausted) return true;
    if (!this.isFirst && !this.#budget.canSpend) return false;
    if (this.nextAt < this.waitUntil(nowMs)) return false;
    return this.links.every((link) => this.isRuledOut(link) || link.state.inFlight === 0);
  }
}
