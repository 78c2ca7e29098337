import type { Outcome } from "@busyhour/sdk";
import type { Flow } from "./flows.ts";
import { drawBetween, type Random } from "./random.ts";
import { TARGETS } from "./targets.ts";

export const MAX_ATTEMPTS = 4;
/** Nobody waits longer than this between two attempts; who is asked to goes elsewhere. */
const MAX_WAIT_MS = 12_000;

/** An attempt that is over. */
export interface Tried {
  readonly outcome: Outcome;
  readonly position: number;
  /** From 1, over the whole request. */
  readonly attempt: number;
  /** From 1, at this link of the chain. */
  readonly tries: number;
  readonly retryAfterMs: number | undefined;
}

/** Where to go on, and how long after the failure. */
export interface Next {
  readonly position: number;
  readonly waitMs: number;
}

/** What a request does after this attempt: the same target again, another link, or `null` for the end. */
export function decideNext(flow: Flow, tried: Tried, random: Random): Next | null {
  if (tried.attempt >= MAX_ATTEMPTS) return null;
  switch (tried.outcome) {
    case "capacity":
    case "rate_limit":
    case "server_error":
    case "network":
      return tryAgain(flow, tried, random) ?? goTo(flow, tried.position + 1, random);
    case "timeout":
    case "not_found":
      return goTo(flow, tried.position + 1, random);
    case "quota":
    case "auth":
      return goTo(flow, findOtherProvider(flow, tried.position), random);
    default:
      return null;
  }
}

/** Backoff of about one second, doubled each time; a Retry-After counts when it is bearable. */
function tryAgain(flow: Flow, tried: Tried, random: Random): Next | null {
  if (tried.tries >= flow.source.triesPerTarget) return null;
  const backoffMs = 1_000 * 2 ** (tried.tries - 1) * drawBetween(random, 0.5, 1.5);
  const waitMs = Math.round(Math.max(backoffMs, tried.retryAfterMs ?? 0));
  return waitMs > MAX_WAIT_MS ? null : { position: tried.position, waitMs };
}

function goTo(flow: Flow, position: number, random: Random): Next | null {
  if (flow.links[position] === undefined) return null;
  return { position, waitMs: Math.round(drawBetween(random, 5, 60)) };
}

/** Another model of the same account would fail in the same way. */
function findOtherProvider(flow: Flow, position: number): number {
  const from = TARGETS[flow.links[position] ?? flow.links[0]].provider;
  let next = position + 1;
  for (let name = flow.links[next]; name !== undefined; name = flow.links[++next]) {
    if (TARGETS[name].provider !== from) break;
  }
  return next;
}
