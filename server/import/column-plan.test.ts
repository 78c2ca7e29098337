import { expect, test } from "vitest";
import { planCsv, planNdjson } from "./column-plan.ts";
import { parseFixedValues, parseMappings } from "./field-options.ts";
import { RowMapper } from "./row-mapper.ts";

const NEEDED = { occurredAt: 1_783_173_548_000, provider: "openai", model: "gpt-4o" };

function mapCsv(header: string[], cells: string[], maps: string[] = [], sets: string[] = []) {
  return planCsv(header, parseMappings(maps), new RowMapper(parseFixedValues(sets))).map(cells);
}

function mapJson(row: Record<string, unknown>, maps: string[] = [], sets: string[] = []) {
  return planNdjson(parseMappings(maps), new RowMapper(parseFixedValues(sets))).map({ ...NEEDED, ...row });
}

const HEADER = ["ts", "provider", "model"];
const CELLS = ["1783173548", "openai", "gpt-4o"];

test("columns are found by name, empty cells are absent", () => {
  const mapped = mapCsv([...HEADER, "HTTP Status", "error"], [...CELLS, "529", ""]);
  expect(mapped).toMatchObject({ ok: true, event: { ...NEEDED, httpStatus: 529 } });
  expect(Object.keys(mapped.ok ? mapped.event : {})).not.toContain("error");
});

test("of two columns for a field the better name wins, unless it is empty", () => {
  const header = [...HEADER, "status", "http_status"];
  expect(mapCsv(header, [...CELLS, "500", "200"])).toMatchObject({ event: { httpStatus: 200 } });
  expect(mapCsv(header, [...CELLS, "500", ""])).toMatchObject({ event: { httpStatus: 500 } });
});

test("--map outweighs names, may convert, and may leave a field out", () => {
  const header = [...HEADER, "status", "took", "latency_ms"];
  const cells = [...CELLS, "done", "1.5", "9"];
  const mapped = mapCsv(header, cells, ["latencyMs=took:s", "httpStatus="]);
  expect(mapped).toMatchObject({ ok: true, event: { ...NEEDED, latencyMs: 1_500 } });
});

test("--set outweighs the row", () => {
  expect(mapCsv(HEADER, CELLS, [], ["provider=azure"])).toMatchObject({ event: { provider: "azure" } });
  expect(mapJson({}, [], ["provider=azure"])).toMatchObject({ event: { provider: "azure" } });
});

test("--map to a column that is not there lists those that are", () => {
  expect(() => mapCsv(HEADER, CELLS, ["latencyMs=took"])).toThrow(
    "--map latencyMs=took: there is no column took.\n  Columns there are: ts, provider, model",
  );
});

test("a row with more or fewer cells than the header is damaged; empty ones at its end are not", () => {
  expect(mapCsv(HEADER, CELLS.slice(0, 2))).toMatchObject({ ok: false, pointer: "" });
  expect(mapCsv(HEADER, [...CELLS, "x"])).toMatchObject({ detail: "has 4 cells, and the header has 3" });
  expect(mapCsv(HEADER, [...CELLS, "", " "])).toMatchObject({ ok: true });
});

test("a bad value names its field and keeps itself secret", () => {
  expect(mapCsv([...HEADER, "latency"], [...CELLS, "secret"])).toMatchObject({
    ok: false,
    pointer: "/latencyMs",
    detail: "must be a number",
  });
});

test("an error may be an object, a text or dotted paths", () => {
  const error = { type: "overloaded_error", code: 529, message: "Overloaded" };
  const expected = { ...error, code: "529" };
  expect(mapJson({ error })).toMatchObject({ event: { error: expected } });
  expect(mapJson({ error: "Overloaded" })).toMatchObject({ event: { error: { message: "Overloaded" } } });
  const paths = ["error.type=r.e.type", "error.code=r.e.code", "error.message=r.e.message"];
  expect(mapJson({ r: { e: error } }, paths)).toMatchObject({ event: { error: expected } });
  expect(mapJson({ error, text: "No room" }, ["error=text"])).toMatchObject({
    event: { error: { ...expected, message: "No room" } },
  });
});

test("null is absent, and what is missing is said by field", () => {
  expect(mapJson({ latencyMs: null })).toMatchObject({ ok: true, event: NEEDED });
  expect(mapJson({ model: null })).toMatchObject({
    ok: false,
    pointer: "/model",
    detail: "is missing",
    isMissing: true,
  });
});

test("a description names what fills a field and what does not", () => {
  const plan = planNdjson(parseMappings(["inputTokens=usage.in"]), new RowMapper([]));
  plan.map({ ...NEEDED, usage: { in: 3 }, prompt: "secret" });
  expect(plan.describe()).toEqual([
    { column: "usage.in", fields: ["inputTokens"] },
    { column: "occurredAt", fields: ["occurredAt"] },
    { column: "provider", fields: ["provider"] },
    { column: "model", fields: ["model"] },
    { column: "prompt", fields: [] },
  ]);
});
