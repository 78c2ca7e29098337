import { parseRetryAfterMs } from "./retry-delay.ts";

/** What is known of the server's answer to one POST. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;
}

/** What a reporter tells people, each code once. */
export type ProblemCode =
  | "unreachable"
  | "unauthorized"
  | "not_busyhour"
  | "refused"
  | "rejected"
  | "dropped"
  | "bad_event"
  | "bad_setting"
  | "spool";

export type Verdict =
  /** Stored, or known already; single events may have been rejected. */
  | { readonly kind: "taken"; readonly rejected: number; readonly firstFault: string | null }
  /** Send it in smaller parts. */
  | { readonly kind: "tooLarge" }
  /** The body as a whole is not wanted. */
  | { readonly kind: "refused"; readonly message: string }
  /** Try the same again. `askedMs`: not before so many milliseconds. */
  | {
      readonly kind: "later";
      readonly code: ProblemCode;
      readonly message: string;
      readonly askedMs: number | null;
    };

/** What to do after an answer. Only the server's own words count as taken: a portal's page with status 200 is none. */
export function judgeAnswer(answer: Answer, nowMs: number): Verdict {
  const { status } = answer;
  if (status >= 200 && status < 300) return judgeBody(answer);
  if (status === 413) return { kind: "tooLarge" };
  if (status === 400 || status === 422) {
    return {
      kind: "refused",
      message: `the server refused a batch with ${status}${quoteDetail(answer.body)}`,
    };
  }
  const askedMs = parseRetryAfterMs(answer.retryAfter, nowMs);
  const later = (code: ProblemCode, message: string): Verdict => ({ kind: "later", code, message, askedMs });
  if (status === 401 || status === 403) {
    return later("unauthorized", `the key was not accepted (${status}${quoteDetail(answer.body)})`);
  }
  if (status >= 500 || status === 408 || status === 425 || status === 429) {
    return later("unreachable", `the server answered ${status}${quoteDetail(answer.body)}`);
  }
  return later("not_busyhour", `the address answered ${status}, so it is not that of a Busyhour server`);
}

function judgeBody({ status, body }: Answer): Verdict {
  const { accepted, rejected } = (readJson(body) ?? {}) as Record<string, unknown>;
  if (typeof accepted !== "number" || !Array.isArray(rejected)) {
    return {
      kind: "later",
      code: "not_busyhour",
      message: `the address answered ${status} with something that is not Busyhour's answer`,
      askedMs: null,
    };
  }
  const first = rejected[0] as { pointer?: unknown; detail?: unknown } | undefined;
  return {
    kind: "taken",
    rejected: rejected.length,
    firstFault: first === undefined ? null : `${first.pointer}: ${first.detail}`,
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The words of a problem document, if the answer is one. */
function quoteDetail(body: string): string {
  const { title, detail, errors } = (readJson(body) ?? {}) as Record<string, unknown>;
  const first = Array.isArray(errors) ? (errors[0] as { pointer?: unknown; detail?: unknown }) : undefined;
  const words = [
    title,
    detail,
    typeof first?.detail === "string" ? `${first.pointer} ${first.detail}` : undefined,
  ].filter((word) => typeof word === "string");
  return words.length === 0 ? "" : `: ${words.join(". ").slice(0, 300)}`;
}
