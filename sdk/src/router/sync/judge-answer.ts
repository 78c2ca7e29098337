import { parseRetryAfterMs } from "../../report/retry-delay.ts";
import type { PlanSourceProblem } from "./plan-source.ts";
import type { SyncAnswer } from "./transport.ts";

/** What an answer of `GET /v1/plan` means. */
export type PlanVerdict =
  | { readonly kind: "plan"; readonly plan: unknown; readonly etag: string | null }
  | { readonly kind: "same" }
  /** Not now. `askedMs`: not before so many milliseconds; `isLasting`: it is not likely to pass by itself. */
  | {
      readonly kind: "later";
      readonly problem: PlanSourceProblem;
      readonly askedMs: number | null;
      readonly isLasting: boolean;
    };

export function judgePlanAnswer(answer: SyncAnswer, nowMs: number): PlanVerdict {
  const { status, body, etag } = answer;
  if (status === 304) return { kind: "same" };
  if (status === 200) {
    const plan = readJson(body);
    if (typeof plan === "object" && plan !== null && "version" in plan && "chains" in plan)
      return { kind: "plan", plan, etag };
    return later("not_busyhour", "the address answered with something that is no plan");
  }
  const words = quoteProblem(body);
  if (status === 401 || status === 403)
    return later("unauthorized", `the key was not accepted (${status}${words})`);
  if (status >= 500 || status === 408 || status === 429) {
    const askedMs = parseRetryAfterMs(answer.retryAfter, nowMs);
    return later("unreachable", `the server answered ${status}${words}`, false, askedMs);
  }
  return later("not_busyhour", `the address answered ${status}${words}, so there is no plan to be had`);
}

function later(
  code: PlanSourceProblem["code"],
  message: string,
  isLasting = true,
  askedMs: number | null = null,
): PlanVerdict {
  return { kind: "later", problem: { code, message }, askedMs, isLasting };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The words of a problem document, if the answer is one. */
export function quoteProblem(body: string): string {
  const { title, detail, errors } = (readJson(body) ?? {}) as Record<string, unknown>;
  const { pointer, detail: fault } = (Array.isArray(errors) ? errors[0] : undefined) ?? {};
  const first = typeof fault === "string" ? `${pointer} ${fault}` : undefined;
  const words = [title, detail, first].filter((word) => typeof word === "string");
  return words.length === 0 ? "" : `: ${words.join(". ").slice(0, 300)}`;
}
