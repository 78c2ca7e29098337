import type { OutputCheck } from "../output/output-check.ts";
import { isRouterError } from "../router-error.ts";
import type { Router, Target } from "../types.ts";
import type { RehearsalCase, RehearsalFailure } from "./types.ts";

/** How one task went at one target. */
export interface CaseResult {
  /** `null`: it passed. */
  readonly failure: Omit<RehearsalFailure, "case"> | null;
  /** `null`: nobody answered. */
  readonly latencyMs: number | null;
}

interface CallOptions {
  readonly deadlineMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Asks one target for one task, again where the router would, and looks at the answer. Never rejects. */
export async function judgeCase<Input, Output, Value>(
  router: Pick<Router<Input, Output>, "run">,
  one: RehearsalCase<Input, Output, Value>,
  target: Target,
  { deadlineMs, signal }: CallOptions,
): Promise<CaseResult> {
  try {
    const { value, totalMs } = await router.run<Value>(one.input, {
      pin: target.id,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
      ...(signal === undefined ? {} : { signal }),
      ...(one.output === undefined ? {} : { output: one.output as OutputCheck<Output, Value> }),
    });
    const detail = await findFault(one.expect, value, target);
    const failure = detail === null ? null : ({ reason: "expectation", outcome: null, detail } as const);
    return { failure, latencyMs: totalMs };
  } catch (error) {
    return { failure: describeFailure(error), latencyMs: null };
  }
}

function describeFailure(error: unknown): Omit<RehearsalFailure, "case"> {
  const detail = error instanceof Error ? error.message : String(error);
  if (!isRouterError(error)) return { reason: "call", outcome: null, detail };
  const last = error.attempts.at(-1);
  return {
    reason: error.kind === "bad_output" ? "output" : "call",
    outcome: last?.outcome ?? null,
    detail: last?.message ?? detail,
  };
}

/** @returns what is wrong with the answer; `null` when it is as expected */
async function findFault<Value>(
  expected: RehearsalCase<unknown, unknown, Value>["expect"],
  value: Value,
  target: Target,
): Promise<string | null> {
  if (expected === undefined) return null;
  if (typeof expected === "function") {
    try {
      const said = await expected(value, target);
      if (typeof said === "string") return said;
      return said === false ? "the check said no" : null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  const answer = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const isThere = typeof expected === "string" ? answer.includes(expected) : answer.search(expected) >= 0;
  return isThere ? null : `“${cut(String(expected))}” is not in “${cut(answer)}”`;
}

const cut = (text: string) => (text.length <= 80 ? text : `${text.slice(0, 79)}…`);
