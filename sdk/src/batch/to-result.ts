import type { Answer } from "./ask.ts";
import type { Entry } from "./item-source.ts";
import type { BatchResult } from "./types.ts";

/** What is stored of an item. A value that has no JSON is no answer that anybody could store. */
export function toResult<Value>(
  { id, index, input, attempts }: Entry<unknown>,
  answer: Answer<Value>,
  latencyMs: number,
  epochMs: number,
): BatchResult<Value | null> {
  return {
    id,
    index,
    ...readEnd(answer),
    attempts,
    target: answer.target,
    latencyMs: Math.round(latencyMs),
    finishedAt: new Date(epochMs).toISOString(),
    input,
  };
}

function readEnd<Value>(
  answer: Answer<Value>,
): Pick<BatchResult<Value | null>, "outcome" | "value" | "error"> {
  if (answer.outcome !== "ok") return { outcome: answer.outcome, error: answer.error };
  const value = answer.value ?? null;
  const fault = findJsonFault(value);
  if (fault === null) return { outcome: "ok", value };
  return {
    outcome: "bad_output",
    error: { message: `the result has no JSON: ${fault}`, status: null, rule: null },
  };
}

/** Why a value cannot be written as JSON; `null` when it can. */
function findJsonFault(value: unknown): string | null {
  try {
    return JSON.stringify(value) === undefined ? `a ${typeof value} has none` : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
