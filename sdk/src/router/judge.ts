import type { Classification } from "../classify/classification.ts";
import { scrubText } from "../evidence/scrub.ts";
import { readClientError } from "../observe/client-error.ts";
import { isErrorBody } from "../observe/error-body.ts";
import type { Classify } from "../observe/options.ts";
import type { RouterSystem } from "./system.ts";
import type { Target } from "./types.ts";

/** Names what a call function threw. */
export function nameError(error: unknown, target: Target, classify: Classify, nowMs: number): Classification {
  const failure = { ...readClientError(error), provider: target.provider, model: target.model, nowMs };
  const named = classify(failure);
  // Whether the caller left is known before; an abort that comes from below is a limit of the client's.
  return named.outcome === "cancelled" ? classify({ ...failure, isAborted: false }) : named;
}

/** Names the error inside of an answer that came with a good status; `null` when there is none. */
export function nameAnswer(
  answer: unknown,
  target: Target,
  classify: Classify,
  { now }: Pick<RouterSystem, "now">,
): Classification | null {
  if (typeof answer !== "object" || answer === null || !isErrorBody(answer)) return null;
  const named = classify({
    status: 200,
    body: answer,
    provider: target.provider,
    model: target.model,
    nowMs: now(),
  });
  return named.outcome === "ok" ? null : named;
}

/** What a failure says of itself, for people: scrubbed of keys and ids, and cut. */
export function describe(error: unknown): string {
  if (error instanceof Error) return scrubText(error.message === "" ? error.name : error.message);
  if (typeof error === "string") return scrubText(error);
  const message = (error as { message?: unknown } | null)?.message ?? innerMessage(error);
  return typeof message === "string" ? scrubText(message) : "the call failed";
}

function innerMessage(error: unknown): unknown {
  const inner = (error as { error?: unknown } | null)?.error;
  return typeof inner === "string" ? inner : (inner as { message?: unknown } | null | undefined)?.message;
}
