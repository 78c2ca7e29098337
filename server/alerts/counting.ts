import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import { defineShare } from "../capacity/share.ts";
import type { AlertRuleInput, RuleGroup, RuleMatcher } from "../contract/alert-rule.ts";

/** What of a bucket is added up. `firsts`: attempts that were the first of their request. */
export type Summand = "attempts" | "requests" | "degraded" | "firsts";

/** How a rule's k and n are made of counts by outcome. */
export interface Counting {
  /** Equal for rules that count the same. */
  readonly key: string;
  /** As alerts name it. */
  readonly of: "attempts" | "requests" | "degraded" | "events" | "amplification";
  readonly outcomes: readonly Outcome[];
  readonly k: { readonly sum: Summand; readonly codes: readonly number[] };
  readonly n: { readonly sum: Summand; readonly codes: readonly number[] };
}

type CountedRule = Pick<AlertRuleInput, "measure" | "condition">;

const ALL = OUTCOMES.map((_, code) => code);
const NOT_CANCELLED = ALL.filter((code) => OUTCOMES[code] !== "cancelled");
const OK = OUTCOMES.indexOf("ok");

/**
 * What a rule counts. A share has the denominator of every share of Busyhour; of several outcomes that of all of them.
 *
 * @see docs/formulas.md#share
 */
export function countingOf({ measure, condition }: CountedRule): Counting {
  if (condition.kind === "silent") {
    return make("events", [], { sum: "attempts", codes: ALL }, { sum: "attempts", codes: ALL });
  }
  if (condition.kind === "amplification") {
    return make(
      "amplification",
      [],
      { sum: "attempts", codes: NOT_CANCELLED },
      { sum: "firsts", codes: NOT_CANCELLED },
    );
  }
  if (measure.of === "degraded") {
    const { inN } = defineShare("ok");
    return make("degraded", [], { sum: "degraded", codes: [OK] }, { sum: "requests", codes: inN });
  }
  const outcomes = OUTCOMES.filter((outcome) => measure.outcomes.includes(outcome));
  const shares = outcomes.map(defineShare);
  const union = (part: "inK" | "inN") =>
    [...new Set(shares.flatMap((share) => share[part]))].sort((a, b) => a - b);
  return make(
    measure.of,
    outcomes,
    { sum: measure.of, codes: union("inK") },
    { sum: measure.of, codes: union("inN") },
  );
}

function make(
  of: Counting["of"],
  outcomes: readonly Outcome[],
  k: Counting["k"],
  n: Counting["n"],
): Counting {
  return { key: JSON.stringify([of, ...outcomes]), of, outcomes, k, n };
}

/** Attempts per request and silence have no usual share. */
export const isShare = ({ of }: Counting): boolean => of !== "amplification" && of !== "events";

/** Equal for rules that count the same of the same groups: they share what is usual. */
export function countedKey(
  counting: Counting,
  { where, groupBy }: { readonly where: RuleMatcher; readonly groupBy: RuleGroup },
): string {
  const { provider, model, endpoint, source, chain } = where;
  return JSON.stringify([counting.key, groupBy, { provider, model, endpoint, source, chain }]);
}

/** Counts of one outcome in a bucket. */
export interface OutcomeCounts {
  readonly outcome: number;
  readonly attempts: number;
  readonly requests: number;
  readonly degraded: number;
  readonly retries: number;
}

export function sumOf(
  rows: readonly OutcomeCounts[],
  { sum, codes }: { readonly sum: Summand; readonly codes: readonly number[] },
): number {
  let total = 0;
  for (const row of rows) {
    if (!codes.includes(row.outcome)) continue;
    total += sum === "firsts" ? row.attempts - row.retries : row[sum];
  }
  return total;
}
