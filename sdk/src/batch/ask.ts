import type { Classification } from "../classify/classification.ts";
import { classify as standardClassify } from "../classify/classify.ts";
import type { Outcome } from "../outcome.ts";
import { callWithin, type Leash } from "../router/call-within.ts";
import { Deadlines } from "../router/deadlines.ts";
import { describe, nameAnswer, nameError } from "../router/judge.ts";
import { isRouterError, type RouterError } from "../router/router-error.ts";
import type { RouterSystem } from "../router/system.ts";
import type { Router, RunResult } from "../router/types.ts";
import type { BatchItemError, BatchOptions } from "./types.ts";

/** How one try of an item ended. */
export type Answer<Value> =
  | {
      readonly outcome: "ok";
      readonly value: Value;
      readonly calls: number;
      readonly target: string | null;
      /** Whether a router let it stand in line: then more at once would bring nothing. */
      readonly hasQueued: boolean;
    }
  | {
      readonly outcome: Exclude<Outcome, "ok">;
      readonly error: BatchItemError;
      readonly advisedMs: number | null;
      readonly calls: number;
      readonly target: string | null;
    };

export interface Question<Item> {
  readonly item: Item;
  readonly index: number;
  readonly attempt: number;
  /** Fires when the batch waits no longer. */
  readonly signal: AbortSignal;
}

export type Ask<Item, Value> = (question: Question<Item>) => Promise<Answer<Value>>;

const TIMEOUT_MS = 600_000;

/** Who is asked, and how. */
export type AskOptions<Item, Value> = Pick<
  BatchOptions<Item, Value>,
  "run" | "request" | "timeoutMs" | "classify" | "provider" | "model"
>;

/** Makes of a function or a router what asks for one item and never rejects. */
export function createAsk<Item, Value>(
  options: AskOptions<Item, Value>,
  system: RouterSystem,
): Ask<Item, Value> {
  const { run, timeoutMs = TIMEOUT_MS, classify = standardClassify } = options;
  const target = { id: "call", provider: options.provider ?? "unknown", model: options.model ?? "unknown" };
  const router = typeof run === "function" ? null : (run as Router<Item, Value>);
  const deadlines = new Deadlines(system);

  return async ({ item, index, attempt, signal }) => {
    const call = (leash: Leash): Promise<RunResult<Value> | Value> | Value =>
      router === null
        ? (run as Exclude<typeof run, Router<Item, Value>>)(item, {
            get signal() {
              return leash.signal;
            },
            index,
            attempt,
          })
        : router.run<Value>(item, { ...options.request, signal: leash.signal });
    const end = await callWithin(call, { deadlines, nowMs: system.elapsed(), timeoutMs, signal });
    switch (end.kind) {
      case "aborted":
        return fail("cancelled", new Error("the batch ended first"));
      case "timedOut":
        return fail("timeout", new Error(`no answer within ${Math.round(timeoutMs / 1_000)} s`));
      case "threw":
        return isRouterError(end.error)
          ? readRouterError(end.error)
          : named(end.error, nameError(end.error, target, classify, system.now()));
      case "answered": {
        if (router !== null) return readRun(end.value as RunResult<Value>);
        const value = end.value as Value;
        const fault = nameAnswer(value, target, classify, system);
        return fault === null
          ? { outcome: "ok", value, calls: 1, target: null, hasQueued: false }
          : named(value, fault);
      }
    }
  };
}

function named(error: unknown, { outcome, rule, status, retryAfterMs }: Classification): Answer<never> {
  return {
    // An abort that is not ours is the client's own limit of time.
    outcome: outcome === "ok" ? "unknown" : outcome === "cancelled" ? "timeout" : outcome,
    error: { message: describe(error), status, rule },
    advisedMs: retryAfterMs,
    calls: 1,
    target: null,
  };
}

function fail(outcome: "cancelled" | "timeout", error: Error): Answer<never> {
  const said = { message: error.message, status: null, rule: null };
  return { outcome, error: said, advisedMs: null, calls: 1, target: null };
}

function readRun<Value>({ value, target, attempts, waitedMs }: RunResult<Value>): Answer<Value> {
  return { outcome: "ok", value, calls: attempts.length, target: target.id, hasQueued: waitedMs > 0 };
}

/** A router has done already what can be done for one request: what is busy now is for the whole batch to wait for. */
function readRouterError(error: RouterError): Answer<never> {
  const last = error.attempts.at(-1);
  return {
    outcome: outcomeOf(error),
    error: { message: describe(error), status: last?.status ?? null, rule: last?.rule ?? null },
    advisedMs: error.retryAfterMs,
    calls: error.attempts.length,
    target: last?.target ?? null,
  };
}

function outcomeOf({ kind, outcome }: RouterError): Exclude<Outcome, "ok"> {
  const last = outcome === null || outcome === "ok" ? null : outcome;
  switch (kind) {
    case "busy":
      return last === "rate_limit" || last === "quota" ? last : "capacity";
    case "deadline":
      return "timeout";
    case "cancelled":
      return "cancelled";
    case "bad_output":
      return "bad_output";
    default:
      // Nothing could be asked at all: every key is known to be bad.
      return last ?? "auth";
  }
}
