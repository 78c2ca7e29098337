import { expect, it } from "vitest";
import { isNamed, toPublished, versionOf } from "./published.ts";
import { judgeTakeUp } from "./take-up.ts";

const NOW = 1_000_000;

it.each([
  ["runs it", 12, 0, 1_000, "current"],
  ["has had less than 15 s", 11, 0, 14_999, "pending"],
  ["has had 15 s", 11, 0, 15_000, "behind"],
  ["runs the chain in code, and has had time", null, 0, 60_000, "behind"],
  ["is heard of at the last moment", 12, 45_000, 60_000, "current"],
  ["is not heard of any more", 12, 45_001, 60_000, "silent"],
] as const)("a router that %s", (_, planVersion, silentMs, publishedAgoMs, state) => {
  const published = { version: 12, publishedMs: NOW - publishedAgoMs };
  expect(judgeTakeUp({ planVersion, lastSeenMs: NOW - silentMs }, published, NOW)).toBe(state);
});

it("a router runs what it should while nothing is published", () => {
  expect(judgeTakeUp({ planVersion: null, lastSeenMs: NOW }, null, NOW)).toBe("current");
});

it("a plan's tag tells versions, contents and chains apart", () => {
  const stored = { version: 3, document: { timeZone: "UTC", chains: { a: {}, b: {} } } };
  const { etag, plan } = toPublished(stored);
  expect(plan).toEqual({ version: 3, timeZone: "UTC", chains: { a: {}, b: {} } });
  expect(toPublished(stored, "a").plan.chains).toEqual({ a: {} });
  expect(toPublished(stored, "toString").plan.chains).toEqual({});
  const others = [toPublished(stored, "a"), toPublished({ ...stored, version: 4 }), toPublished(null)];
  expect(new Set([etag, ...others.map((one) => one.etag)]).size).toBe(4);
  expect(versionOf(etag)).toBe(3);
  expect([versionOf(undefined), versionOf('"x"'), versionOf('W/"v12-abc"')]).toEqual([null, null, 12]);
  expect([isNamed(etag, etag), isNamed(`"x", W/${etag}`, etag), isNamed("*", etag)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([isNamed(undefined, etag), isNamed('"x"', etag)]).toEqual([false, false]);
});
