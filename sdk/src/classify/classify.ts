import { OUTCOME_TRAITS } from "../outcome.ts";
import type { Classification, Failure, FailureScope } from "./classification.ts";
import { FactCollector, type Facts } from "./facts.ts";
import { readBody, readException } from "./read/exception.ts";
import { createHeaderReader, findHeaderWait, readHeaders } from "./read/headers.ts";
import type { Rule } from "./rule.ts";
import { createRuleBook, effectiveStatus, findRule, type PlacedRule, type RuleBook } from "./rule-book.ts";
import { STRONG_TABLES, WEAK_TABLES } from "./rules/index.ts";

const DAY_MS = 86_400_000;

/**
 * Names a failure: what happened, by which rule, whether the same call may be sent again, after which wait, and
 * what helps otherwise. Also says `ok` of an answer that holds no error.
 *
 * Never throws, whatever it is given, and imports nothing of any client.
 *
 * @see docs/classification.md
 */
export function classify(failure: Failure): Classification {
  return classifyFacts(readFacts(failure));
}

/** `classify` over facts that were read before. */
export function classifyFacts(facts: Facts): Classification {
  return conclude(standardBook(), facts);
}

/** `classify` with rules of one's own, which are asked first. */
export function createClassifier(own: readonly Rule[]): (failure: Failure) => Classification {
  const classifyOwn = createFactsClassifier(own);
  return (failure) => classifyOwn(readFacts(failure));
}

/** `createClassifier` over facts that were read before. */
export function createFactsClassifier(own: readonly Rule[]): (facts: Facts) => Classification {
  const book = createRuleBook(own, STRONG_TABLES, WEAK_TABLES);
  return (facts) => conclude(book, facts);
}

let standard: RuleBook | undefined;

/** Compiled at the first call, so that importing the SDK costs nothing. */
function standardBook(): RuleBook {
  standard ??= createRuleBook([], STRONG_TABLES, WEAK_TABLES);
  return standard;
}

/** What is known of a failure, read from whatever shape it has; see `Facts`. */
export function readFacts(failure: Failure): Facts {
  const collector = new FactCollector();
  let status = Number.isInteger(failure.status) ? (failure.status ?? null) : null;
  let waitMs: number | null = null;
  try {
    let headers = createHeaderReader(failure.headers);
    if (failure.exception !== undefined && failure.exception !== null) {
      collector.addCode("source", "thrown", -1);
      const carried = readException(failure.exception, collector);
      status ??= carried.status;
      if (carried.headers) {
        const [given, found] = [headers, carried.headers];
        headers = (name) => given(name) ?? found(name);
      }
    }
    readBody(failure.body, 0, collector);
    readHeaders(headers, collector);
    waitMs = findHeaderWait(headers, failure.nowMs);
  } catch {
    // A shape that cannot be read says nothing; what was read before it still counts.
  }
  if (failure.isAborted !== undefined) collector.addCode("aborted", String(failure.isAborted), 0);
  const facts = collector.toFacts(status, waitMs, failure.provider);
  return facts.waitMs === null ? facts : { ...facts, codes: [...facts.codes, "wait=stated"] };
}

/** The verdict over facts. */
function conclude(book: RuleBook, facts: Facts): Classification {
  const rule = findRule(book, facts) ?? UNNAMED;
  const traits = OUTCOME_TRAITS[rule.outcome];
  // What else is said of waiting is politeness: no wait mends a request, and a quota of nothing never fills.
  const canWait = rule.outcome === "quota" ? rule.retryable !== false : traits.severity === "soft";
  const waitMs = canWait ? facts.waitMs : null;
  const habit = HABITS[rule.outcome];
  return {
    outcome: rule.outcome,
    rule: rule.id,
    severity: traits.severity,
    retryable: isRetryable(rule, traits.isRetryable, waitMs),
    retryAfterMs: waitMs,
    scope: rule.scope ?? habit?.[0] ?? "model",
    switchHelps: rule.switchHelps ?? habit?.[1] ?? true,
    providerCode: tellingCode(rule, facts),
    status: facts.status ?? effectiveStatus(facts),
  };
}

const UNNAMED: PlacedRule = { id: "generic/unnamed", outcome: "unknown", retryable: "wait" };

/** What each outcome concerns and whether another target helps, unless its rule knows better. */
const HABITS: Readonly<Record<string, readonly [scope: FailureScope, switchHelps: boolean]>> = {
  ok: ["request", false],
  quota: ["account", true],
  auth: ["account", true],
  network: ["provider", true],
  invalid_request: ["request", false],
  context_length: ["request", true],
  content_filter: ["request", true],
  cancelled: ["request", false],
};

function isRetryable(rule: PlacedRule, usual: boolean, waitMs: number | null): boolean {
  if (rule.retryable === "wait") return waitMs !== null && waitMs <= DAY_MS;
  return (rule.retryable ?? usual) && (waitMs === null || waitMs <= DAY_MS);
}

/** Fields in which a provider names an error, the most telling first. */
const NAMING = ["code", "errorcode", "statuscode", "type", "reason", "errortype", "error", "status", "name"];

/** The code that decided, else the one in the most telling field. */
function tellingCode(rule: PlacedRule, facts: Facts): string | null {
  const wanted = rule.code?.toLowerCase().split(" ") ?? [];
  let best: string | null = null;
  let bestPlace = NAMING.length;
  for (const code of facts.codes) {
    const at = code.indexOf("=");
    const place = NAMING.indexOf(code.slice(0, at));
    const value = code.slice(at + 1);
    if (place >= 0 && wanted.includes(value.toLowerCase())) return value;
    if (place >= 0 && place < bestPlace && value !== "error") {
      best = value;
      bestPlace = place;
    }
  }
  return best;
}
