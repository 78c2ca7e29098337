import { expect, test } from "vitest";
import { parseFixedValues, parseMappings } from "./field-options.ts";
import { createZone } from "./zone.ts";

test("--map names field, column and unit", () => {
  const mappings = parseMappings([
    "latencyMs=took:s",
    "requestId=trace:id",
    "error=e.msg",
    "httpStatus=",
    "OccurredAt=t:ns",
  ]);
  expect(mappings.map(({ field, column, unit }) => [field.name, column, unit])).toEqual([
    ["latencyMs", "took", "s"],
    ["requestId", "trace:id", undefined],
    ["error.message", "e.msg", undefined],
    ["httpStatus", "", undefined],
    ["occurredAt", "t", "ns"],
  ]);
});

test("--set values have the type of their field", () => {
  const fixed = parseFixedValues(
    ["provider=openai", "isFinal=no", "occurredAt=2026-07-04 12:00:00"],
    createZone("UTC"),
  );
  expect(fixed.map(({ field, value }) => [field.name, value])).toEqual([
    ["provider", "openai"],
    ["isFinal", false],
    ["occurredAt", Date.parse("2026-07-04T12:00:00Z")],
  ]);
});

test.each([
  [() => parseMappings(["latency=ms"]), /there is no field latency\.\nFields: eventId, occurredAt, provider/],
  [() => parseMappings(["latencyMs"]), /write --map field=column/],
  [() => parseMappings(["model=a", "model=b"]), /model is given twice/],
  [() => parseMappings(["model=a:s"]), /model is no time, so :s means nothing/],
  [() => parseFixedValues(["httpStatus=ok"]), /--set httpStatus=ok: httpStatus must be a number/],
  [() => parseFixedValues(["model="]), /the value is empty/],
])("a fault says what is wrong (%#)", (parse, message) => {
  expect(parse).toThrow(message);
});
