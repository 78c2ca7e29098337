import { describe, expect, it } from "vitest";
import { classifyEvidence, toEvidence } from "../../evidence/evidence.ts";
import { OUTCOMES } from "../../outcome.ts";
import { classify } from "../classify.ts";
import { listRules } from "../rule-book.ts";
import { EXAMPLES, toFailure } from "./examples.ts";
import { STRONG_TABLES, WEAK_TABLES } from "./index.ts";
import { findReason } from "./reasons.ts";

const rules = [...listRules(STRONG_TABLES), ...listRules(WEAK_TABLES)];

describe("every rule", () => {
  it("has an id of its own, a known outcome, and something that makes it apply", () => {
    expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length);
    for (const rule of rules) {
      expect(OUTCOMES).toContain(rule.outcome);
      expect([rule.id, rule.code ?? rule.text ?? rule.status]).not.toEqual([rule.id, undefined]);
    }
  });

  it("has a reason, and no reason is left without its rule", () => {
    expect(rules.map((rule) => [rule.id, findReason(rule.id)?.endsWith(".")])).toEqual(
      rules.map((rule) => [rule.id, true]),
    );
  });

  it("has an example, and no example is left without its rule", () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(rules.map((rule) => rule.id).sort());
  });

  it.each(rules.map((rule) => rule.id))("%s wins its example, and by the evidence of it too", (id) => {
    const failure = toFailure(EXAMPLES[id] ?? "");
    const verdict = classify(failure);
    expect([verdict.rule, verdict.outcome]).toEqual([id, id.split("/")[1]?.split(":")[0]]);
    const kept = JSON.parse(JSON.stringify(toEvidence(failure)));
    expect(classifyEvidence(kept, failure.provider).outcome).toBe(verdict.outcome);
  });
});
