import { describe, expect, it } from "vitest";
import { filterModelRows, type ModelRow, readOrder, sortModelRows, writeOrder } from "./model-rows.ts";

function aRow(model: string, parts: Partial<ModelRow> = {}): ModelRow {
  const share = { n: 100, k: 0, rate: 0, low: 0, high: 0, state: "enough" as const };
  return {
    provider: "acme",
    endpoint: "",
    model,
    share,
    attempts: 100,
    p50: null,
    p95: null,
    firstToken: null,
    lastSeenMs: null,
    ...parts,
  };
}

const names = (rows: readonly ModelRow[]) => rows.map(({ model }) => model);
const share = (rate: number, state: "few" | "enough" = "enough") => ({
  share: { n: 50, k: 0, rate, low: 0, high: 1, state },
});

describe("sortModelRows", () => {
  it("sorts by share, and puts thin ones last whichever way", () => {
    const rows = [aRow("thin", share(0.9, "few")), aRow("low", share(0.01)), aRow("high", share(0.2))];
    expect(names(sortModelRows(rows, { by: "share", isDescending: true }))).toEqual(["high", "low", "thin"]);
    expect(names(sortModelRows(rows, { by: "share", isDescending: false }))).toEqual(["low", "high", "thin"]);
  });

  it("sorts names by the alphabet and times by length, absent ones last", () => {
    const rows = [aRow("b", { p95: 5 }), aRow("a"), aRow("c", { p95: 9 })];
    expect(names(sortModelRows(rows, { by: "model", isDescending: false }))).toEqual(["a", "b", "c"]);
    expect(names(sortModelRows(rows, { by: "p95", isDescending: true }))).toEqual(["c", "b", "a"]);
  });
});

describe("the order in the URL", () => {
  it("comes back as it was written, and is by share when it makes no sense", () => {
    const order = { by: "p95", isDescending: true } as const;
    expect(readOrder(writeOrder(order))).toEqual(order);
    expect(readOrder("model")).toEqual({ by: "model", isDescending: false });
    for (const text of [null, "", "-", "colour"]) {
      expect(readOrder(text)).toEqual({ by: "share", isDescending: true });
    }
  });
});

describe("filterModelRows", () => {
  it("finds a part of any name, in any case", () => {
    const rows = [aRow("gpt-5"), aRow("claude", { endpoint: "eu.example" })];
    expect(names(filterModelRows(rows, " EU."))).toEqual(["claude"]);
    expect(filterModelRows(rows, "")).toHaveLength(2);
    expect(filterModelRows(rows, "mistral")).toEqual([]);
  });
});
