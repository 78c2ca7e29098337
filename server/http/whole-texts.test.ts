import { expect, it } from "vitest";
import { findBrokenText } from "./whole-texts.ts";

it("finds a NUL and half a pair, in values and in names, at any depth", () => {
  expect(findBrokenText({ a: "b", c: [1, null, "d", { e: "👍" }] })).toBeNull();
  expect(findBrokenText("\ud800")).toMatchObject({ pointer: "" });
  expect(findBrokenText({ rules: [{ because: "x" }, { because: "\udc00\ud800" }] })).toMatchObject({
    pointer: "/rules/1/because",
  });
  expect(findBrokenText({ a: [{ b: "\0" }] })).toMatchObject({ pointer: "/a/0/b" });
  expect(findBrokenText({ a: { "x\0": 1 } })).toMatchObject({
    pointer: "/a",
    detail: expect.stringMatching(/^has a field/),
  });
  let deep: unknown = "\0";
  for (let depth = 0; depth < 200_000; depth++) deep = [deep];
  expect(findBrokenText(deep)?.detail).toMatch(/surrogate/);
});
