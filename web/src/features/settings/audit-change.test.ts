import { expect, it } from "vitest";
import { listFieldChanges } from "./audit-change.ts";

it("sets what was beside what is, field by field", () => {
  expect(listFieldChanges({ name: "a", limit: null }, { name: "b", limit: 60 })).toEqual([
    { name: "name", before: "a", after: "b" },
    { name: "limit", before: null, after: "60" },
  ]);
});

it("shows what is new without a before, what is gone without an after, and leaves out what never was", () => {
  expect(listFieldChanges(null, { scopes: ["events"], expiresAt: null })).toEqual([
    { name: "scopes", before: null, after: '["events"]' },
  ]);
  expect(listFieldChanges({ role: "admin" }, null)).toEqual([{ name: "role", before: "admin", after: null }]);
  expect(listFieldChanges(null, null)).toEqual([]);
});
