import { describe, expect, it } from "vitest";
import { alertRuleInput } from "../../../../../server/contract/alert-rule.ts";
import { NEW_RULE, withKind, withMeasure, withWhere } from "./rule-draft.ts";

const named = { ...NEW_RULE, name: "A rule" };
const KINDS = ["share", "count", "learnt", "fastRise", "burnRate", "silent", "amplification"] as const;

describe("a rule that is being written", () => {
  it("is one that the server takes, whatever is chosen in whatever order", () => {
    for (const first of KINDS)
      for (const second of KINDS) {
        const rule = withKind(withKind(named, first), second);
        expect(alertRuleInput.safeParse(rule).error?.issues ?? []).toEqual([]);
        expect(rule.condition.kind).toBe(second);
      }
    for (const of of ["attempts", "requests", "degraded"] as const)
      expect(alertRuleInput.safeParse(withMeasure(withMeasure(named, "degraded"), of)).success).toBe(true);
  });

  it("keeps its window, and not a threshold of another unit", () => {
    const wide = {
      ...named,
      condition: { ...named.condition, windowMinutes: 45, above: 0.3 } as typeof named.condition,
    };
    expect(withKind(wide, "amplification").condition).toMatchObject({ windowMinutes: 45, above: 1.5 });
    expect(withKind(wide, "count").condition).toEqual({ kind: "count", atLeast: 1, windowMinutes: 45 });
  });

  it("is about all where nothing is written", () => {
    const one = withWhere(named, "model", " gpt-5 ");
    expect(one.where).toEqual({ model: "gpt-5" });
    expect(withWhere(one, "model", " ").where).toEqual({});
  });
});
