import type { AttemptEvent, Outcome } from "@busyhour/sdk";
import { findReply } from "./failure-replies.ts";
import type { Flow } from "./flows.ts";
import { drawBetween, drawChance, drawLogNormal, drawPoisson, drawUuid, type Random } from "./random.ts";
import type { Target } from "./targets.ts";

/** An event as our own SDK would send it, with the parts that the demo always fills. */
export interface DemoAttempt extends AttemptEvent {
  eventId: string;
  /** ISO 8601 in UTC with milliseconds. */
  occurredAt: string;
  outcome: Outcome;
  requestId: string;
  attempt: number;
  isFinal: boolean;
  position: number;
  latencyMs: number;
}

/** What is known of an attempt before its numbers are drawn. */
export interface AttemptFacts {
  readonly flow: Flow;
  readonly target: Target;
  readonly timeMs: number;
  readonly requestId: string;
  readonly attempt: number;
  readonly position: number;
  readonly outcome: Outcome;
  readonly slowness: number;
  /** Own calls that are under way on average. */
  readonly meanInFlight: number;
}

const TIMEOUT_MS = 60_000;
/** The longest that an answer takes: what is slower ran into the timeout. */
const MAX_ANSWER_MS = 58_000;

/** Median time until a failure is told; all but broken connections are quick. */
const FAILURE_MS: Readonly<Partial<Record<Outcome, number>>> = {
  capacity: 320,
  server_error: 1_400,
  network: 900,
  content_filter: 1_100,
};
const QUICK_MS = 130;

/** One event; `isFinal` is true until somebody finds a reason for another attempt. */
export function drawAttempt(facts: AttemptFacts, random: Random): DemoAttempt {
  const { flow, target, outcome } = facts;
  const event: DemoAttempt = {
    eventId: drawUuid(random, facts.timeMs),
    occurredAt: new Date(facts.timeMs).toISOString(),
    provider: target.provider,
    model: target.model,
    endpoint: target.endpoint,
    source: flow.source.name,
    position: facts.position,
    attempt: facts.attempt,
    isFinal: true,
    requestId: facts.requestId,
    outcome,
    latencyMs: 0,
    inFlight: drawPoisson(random, facts.meanInFlight),
    isStream: flow.source.isStream,
  };
  if (flow.chain !== null) event.chain = flow.chain;
  if (outcome === "ok") addAnswer(event, facts, random);
  else addFailure(event, facts, random);
  return event;
}

function addAnswer(event: DemoAttempt, { flow, target, slowness }: AttemptFacts, random: Random): void {
  const firstTokenMs = Math.round(drawLogNormal(random, target.firstTokenMs * slowness, 0.4));
  const outputTokens = Math.max(1, Math.round(drawLogNormal(random, flow.outputTokens, 0.5)));
  const restMs = drawLogNormal(random, outputTokens * target.msPerOutputToken * slowness, 0.2);
  event.httpStatus = 200;
  event.latencyMs = Math.min(MAX_ANSWER_MS, Math.round(firstTokenMs + restMs));
  if (flow.source.isStream) event.firstTokenMs = Math.min(firstTokenMs, event.latencyMs);
  event.inputTokens = Math.max(1, Math.round(drawLogNormal(random, flow.inputTokens, 0.6)));
  event.outputTokens = outputTokens;
  event.servedModel = target.servedModel;
}

function addFailure(event: DemoAttempt, { target, outcome, slowness }: AttemptFacts, random: Random): void {
  event.latencyMs = Math.round(drawFailureMs(outcome, target.firstTokenMs * slowness, random));
  const reply = findReply(target.provider, outcome);
  if (reply === null) return;
  if (reply.httpStatus !== undefined) event.httpStatus = reply.httpStatus;
  event.error = { ...reply.error };
  if (outcome === "rate_limit") event.retryAfterMs = 1_000 * Math.ceil(drawBetween(random, 0.5, 20));
  else if (outcome === "capacity" && drawChance(random, 0.3)) {
    event.retryAfterMs = 1_000 * Math.ceil(drawBetween(random, 0.5, 8));
  }
}

function drawFailureMs(outcome: Outcome, firstTokenMs: number, random: Random): number {
  if (outcome === "timeout") return TIMEOUT_MS + drawBetween(random, 0, 30);
  if (outcome === "cancelled") return firstTokenMs * drawBetween(random, 0.3, 4);
  return Math.min(MAX_ANSWER_MS, drawLogNormal(random, FAILURE_MS[outcome] ?? QUICK_MS, 0.45));
}
