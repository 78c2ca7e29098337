import type { Way } from "./way.ts";

/**
 * What a way in does not show of its calls.
 *
 * `hidesRetries`: an attempt that failed and was tried again leaves no record of its own, so capacity errors are
 * missing. `omitsFailures`: calls that fail leave no record at all, so every share of errors is too low.
 */
export const BLIND_SPOTS = ["hidesRetries", "omitsFailures"] as const;
export type BlindSpot = (typeof BLIND_SPOTS)[number];

/** `known`: the instrument does so. `likely`: its kind does, or what it has sent looks like it. */
export interface FoundBlindSpot {
  readonly code: BlindSpot;
  readonly certainty: "known" | "likely";
}

interface Traits {
  readonly hidesRetries: boolean;
  readonly omitsFailures: boolean;
}

/** By the beginning of an instrumentation scope's name; each was seen, or read in its source. */
const INSTRUMENTS: readonly (readonly [scope: RegExp, traits: Traits])[] = [
  // AI SDK up to 6, and its legacy spans in 7: a span per attempt.
  [/^ai$/, { hidesRetries: false, omitsFailures: false }],
  // AI SDK 7: a span for all attempts of a call.
  [/^gen_ai$/, { hidesRetries: true, omitsFailures: false }],
  // A span for all attempts, with how many there were.
  [/^com\.anthropic\.sdk\b/, { hidesRetries: true, omitsFailures: false }],
  [/^@opentelemetry\/instrumentation-openai$/, { hidesRetries: true, omitsFailures: false }],
  [/^@traceloop\/instrumentation-openai$/, { hidesRetries: true, omitsFailures: true }],
  [/^@traceloop\//, { hidesRetries: true, omitsFailures: false }],
  [/^@arizeai\/openinference-instrumentation-openai$/, { hidesRetries: true, omitsFailures: true }],
  [/^@arizeai\//, { hidesRetries: true, omitsFailures: false }],
];

/**
 * From so many calls on it is odd that none failed: were it chance, fewer than 3 in 1,000 would fail (95 %, the rule
 * of three), which no provider achieves over weeks.
 */
export const MANY_CALLS = 1_000;

/**
 * What this way does not show.
 *
 * @param calls attempts that came this way, ever
 * @param failures of these, the ones that were not ok
 */
export function findBlindSpots(
  { via, instrument }: Way,
  { calls, failures }: { calls: number; failures: number },
): FoundBlindSpot[] {
  const found: FoundBlindSpot[] = [];
  const traits = via === "otlp" ? INSTRUMENTS.find(([scope]) => scope.test(instrument))?.[1] : undefined;
  if (traits?.hidesRetries === true) found.push({ code: "hidesRetries", certainty: "known" });
  // OpenTelemetry's own rule: an error that was recovered from is not put on the span of the operation.
  else if (via === "otlp" && traits === undefined) found.push({ code: "hidesRetries", certainty: "likely" });
  if (failures > 0) return found;
  if (traits?.omitsFailures === true) found.push({ code: "omitsFailures", certainty: "known" });
  else if (calls >= MANY_CALLS) found.push({ code: "omitsFailures", certainty: "likely" });
  return found;
}
