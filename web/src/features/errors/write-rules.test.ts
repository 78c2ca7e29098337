import { expect, it } from "vitest";
import { classificationRule } from "../../../../server/contract/classification.ts";
import { writeRules } from "./write-rules.ts";

it("writes fields in the order in which they are read, and none that a rule lacks", () => {
  const rule = { status: "5xx", because: "b", retryable: false, outcome: "quota", id: "a/b" } as const;
  expect(writeRules({ rules: [rule] })).toBe(
    JSON.stringify(
      { rules: [{ id: "a/b", outcome: "quota", because: "b", status: "5xx", retryable: false }] },
      null,
      2,
    ),
  );
  expect(writeRules({ rules: [] })).toBe('{\n  "rules": []\n}');
});

it("loses no field that a rule may have", () => {
  const names = Object.keys(classificationRule.shape);
  const rule = Object.fromEntries(names.map((name) => [name, name]));
  const written = JSON.parse(writeRules({ rules: [rule as never] }));
  expect(Object.keys(written.rules[0]).sort()).toEqual(names.sort());
});
