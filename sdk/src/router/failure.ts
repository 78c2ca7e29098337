import { OUTCOME_TRAITS, type Outcome } from "../outcome.ts";
import type { Board } from "./board.ts";
import type { Journey } from "./journey.ts";
import { RouterError, type RouterErrorKind } from "./router-error.ts";

/** The error of a request that ends now without an answer. */
export function failureOf(journey: Journey, board: Board, cause: unknown, isAborted = false): RouterError {
  const nowMs = board.system.elapsed();
  const kind = isAborted ? "cancelled" : kindOf(journey, nowMs);
  const retryAfterMs = comeBackMs(journey, nowMs);
  return new RouterError(kind, messageOf(kind, journey, retryAfterMs), {
    attempts: journey.attempts,
    retryAfterMs,
    cause,
  });
}

function kindOf(journey: Journey, nowMs: number): RouterErrorKind {
  if (nowMs >= journey.deadlineAt) return "deadline";
  if (journey.isExhausted || journey.isFirst) return exhaustedKind(journey, nowMs);
  return nowMs >= journey.waitUntil(nowMs) && journey.waitedMs < journey.course.retry.totalWaitMs
    ? "deadline"
    : "busy";
}

/** Every target is out of the question: is it worth coming back? */
function exhaustedKind(journey: Journey, nowMs: number): RouterErrorKind {
  const outcomes = journey.attempts.map(({ outcome }) => outcome);
  if (outcomes.at(-1) === "bad_output") return "bad_output";
  const held = journey.links.flatMap(({ state }) => {
    const why = state.hold.why(nowMs);
    return why === null || state.hold.isStated ? [] : [why];
  });
  const isHard = (outcome: Outcome) => OUTCOME_TRAITS[outcome].severity === "hard";
  if (outcomes.length === 0)
    return held.length === journey.links.length && held.every(isHard) ? "refused" : "busy";
  const last = outcomes.at(-1);
  return last !== undefined && isHard(last) && !isStatedQuota(journey, nowMs) ? "refused" : "busy";
}

/** A quota that said when it fills again is no lasting refusal. */
function isStatedQuota({ links, attempts }: Journey, nowMs: number): boolean {
  if (attempts.at(-1)?.outcome !== "quota") return false;
  return links.some(({ state }) => state.hold.why(nowMs) === "quota" && state.hold.isStated);
}

/** When the first target that is of use may be asked again: at once when that is only a matter of room. */
function comeBackMs(journey: Journey, nowMs: number): number | null {
  let soonest = Number.POSITIVE_INFINITY;
  for (const { state } of journey.links) {
    const why = state.hold.why(nowMs);
    if (why !== null && !state.hold.isStated) continue;
    const at =
      why !== null
        ? state.hold.until
        : state.circuit.state(nowMs) === "open"
          ? state.circuit.openUntil
          : nowMs;
    soonest = Math.min(soonest, at);
  }
  if (soonest === Number.POSITIVE_INFINITY) return null;
  // Nothing is promised of a target that is only full: a little later is better than at once.
  return Math.round(Math.max(1_000, soonest - nowMs));
}

/** What is said of a stream that broke off. */
export function messageOfInterruption(journey: Journey): string {
  return messageOf("interrupted", journey, null);
}

function messageOf(kind: RouterErrorKind, { attempts, links }: Journey, retryAfterMs: number | null): string {
  const tried = attempts.map(({ target, outcome }) => `${target} ${outcome}`).join(", ");
  const all = tried === "" ? `none of ${links.length} targets could be asked` : `tried: ${tried}`;
  switch (kind) {
    case "busy":
      return retryAfterMs === null
        ? `All models are busy (${all})`
        : `All models are busy; come back in about ${Math.ceil(retryAfterMs / 1_000)} s (${all})`;
    case "refused":
      return `The request was refused, and waiting will not mend it (${all}): ${attempts.at(-1)?.message ?? "see docs/router.md"}`;
    case "bad_output":
      return `No model answered as asked (${all}): ${attempts.at(-1)?.message ?? ""}`;
    case "deadline":
      return `The deadline passed before a model had answered (${all})`;
    case "cancelled":
      return `The caller cancelled the request (${all})`;
    case "interrupted":
      return `The answer broke off after it had begun (${all})`;
  }
}
