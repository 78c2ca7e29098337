import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTopLevelString } from "./top-level.ts";

describe("a string of the outermost object", () => {
  it.each([
    ['{"model":"m"}', "m"],
    ['{ "a" : 1 ,\n "model" : "m" }', "m"],
    ['{"tools":[{"model":"inner"}],"model":"m"}', "m"],
    ['{"model":"m","tools":[{"model":"inner"}]}', "m"],
    [String.raw`{"text":"\"model\":\"no\"","x":{"model":"no"},"model":"a\"b\\"}`, 'a"b\\'],
    ['{"model":{"name":"m"}}', null],
    ['{"text":"model"}', null],
    ['{"modelId":"m"}', null],
    ["no json", null],
    ['{"model":"cut', null],
    ["", null],
  ])("%s", (json, expected) => {
    expect(findTopLevelString(json, "model")).toBe(expected);
  });

  it("is what parsing would find, wherever else the key stands", () => {
    const inner = fc
      .jsonValue({ maxDepth: 3 })
      .map((value) => ({ model: "inner", value, tools: [{ model: value }] }));
    fc.assert(
      fc.property(fc.string(), inner, fc.string(), fc.boolean(), (model, value, text, isFirst) => {
        const body = isFirst ? { model, text, value } : { text, value, model };
        expect(findTopLevelString(JSON.stringify(body), "model")).toBe(model);
      }),
    );
  });
});
