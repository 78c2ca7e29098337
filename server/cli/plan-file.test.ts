import { describe, expect, it } from "vitest";
import { formatChange } from "../plans/format-change.ts";
import { parsePlan } from "./plan-file.ts";

describe("a file that is no plan", () => {
  it.each([
    [
      '{\n  "timeZone": "UTC",\n  "chains": {}},\n}',
      /^plan\.json is no JSON \(line 3, column 16: Unexpected /,
    ],
    ["", /^plan\.json is no JSON \(Unexpected end of JSON input\)\. A plan looks like /],
    [
      "{}",
      /^plan\.json is no plan that can be published:\n {2}\/timeZone is missing\n {2}\/chains is missing$/,
    ],
    [
      '{"timeZone":"Mars","chains":{"a":{"targets":[{"id":"x","provider":"p"}],"floor":"y"}}}',
      /\n {2}\/timeZone is no IANA time zone, like .*\n {2}\/chains\/a\/targets\/0\/model is missing$/,
    ],
    ["[]", /\n {2}\/ must be an object$/],
  ])("is refused with its places: %j", (text, words) => {
    expect(() => parsePlan(text, "plan.json")).toThrow(words);
  });

  it("is none of those that are one, were it with a byte order mark", () => {
    expect(parsePlan('\ufeff{"timeZone":"UTC","chains":{},"news":1}', "plan.json")).toEqual({
      timeZone: "UTC",
      chains: {},
      news: 1,
    });
  });
});

describe("a change in a line", () => {
  const about = { chain: "default", subject: null };
  it.each([
    [{ kind: "order", ...about, before: ["a", "b"], after: ["b", "a"] }, "default: order a, b → b, a"],
    [
      { kind: "timeZone", chain: null, subject: null, before: "UTC", after: "Asia/Tokyo" },
      "time zone UTC → Asia/Tokyo",
    ],
    [
      { kind: "retry", ...about, subject: "maxAttempts", before: 5, after: null },
      "default: retry maxAttempts 5 → none",
    ],
    [
      { kind: "scheduleAdded", ...about, subject: "mon–fri 10:00–16:00", before: null, after: ["b", "a"] },
      "default: mon–fri 10:00–16:00 order b, a (new)",
    ],
    [
      { kind: "avoidRemoved", ...about, subject: "daily 01:00–02:00", before: "a", after: null },
      "default: daily 01:00–02:00 avoid a (gone)",
    ],
    [
      { kind: "targetChanged", ...about, subject: "a", before: { tier: null }, after: { tier: "best" } },
      'default: target a: {"tier":null} → {"tier":"best"}',
    ],
  ] as const)("%j", (change, line) => {
    expect(formatChange(change as never)).toBe(line);
  });
});
