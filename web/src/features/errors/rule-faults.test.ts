import { describe, expect, it } from "vitest";
import { findRuleSpan, placeFault } from "./rule-faults.ts";

describe("placeFault", () => {
  const sent = { rules: [{ id: "a/b" }, { outcome: "ok" }, null] };
  it("names the rule and its field", () => {
    const place = (pointer: string) => placeFault({ pointer, detail: "d" }, sent);
    expect(place("/rules/0/outcome")).toEqual({ rule: 0, id: "a/b", field: "outcome", detail: "d" });
    expect(place("/rules/1")).toEqual({ rule: 1, id: null, field: "", detail: "d" });
    expect(place("/rules/2/id")).toEqual({ rule: 2, id: null, field: "id", detail: "d" });
    expect(place("/rules/9/id")).toEqual({ rule: 9, id: null, field: "id", detail: "d" });
    expect(place("/rules")).toEqual({ rule: null, id: null, field: "rules", detail: "d" });
    expect(place("")).toEqual({ rule: null, id: null, field: "", detail: "d" });
  });

  it("bears whatever was sent", () => {
    for (const odd of [null, 3, [], { rules: 3 }])
      expect(placeFault({ pointer: "/rules/0/id", detail: "d" }, odd).rule).toBe(0);
  });
});

describe("findRuleSpan", () => {
  it("finds a rule among others, whatever its texts hold", () => {
    const text = JSON.stringify({ rules: [{ id: 'a/{"b]' }, { id: "c/d", also: "}" }] }, null, 2);
    const cut = (rule: number) => {
      const span = findRuleSpan(text, rule);
      return span && JSON.parse(text.slice(...span));
    };
    expect(cut(0)).toEqual({ id: 'a/{"b]' });
    expect(cut(1)).toEqual({ id: "c/d", also: "}" });
    expect(cut(2)).toBeNull();
    expect(findRuleSpan("{}", 0)).toBeNull();
  });
});
