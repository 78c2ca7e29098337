import { describe, expect, it } from "vitest";
import { movePlace, transposeGrid } from "./grid-model.ts";

describe("movePlace", () => {
  it("moves by one, and stops at the edges", () => {
    expect(movePlace("ArrowRight", { row: 2, column: 22 }, 7, 24)).toEqual({ row: 2, column: 23 });
    expect(movePlace("ArrowRight", { row: 2, column: 23 }, 7, 24)).toEqual({ row: 2, column: 23 });
    expect(movePlace("ArrowLeft", { row: 0, column: 0 }, 7, 24)).toEqual({ row: 0, column: 0 });
    expect(movePlace("ArrowUp", { row: 0, column: 5 }, 7, 24)).toEqual({ row: 0, column: 5 });
    expect(movePlace("ArrowDown", { row: 6, column: 5 }, 7, 24)).toEqual({ row: 6, column: 5 });
  });

  it("jumps to the ends of a row and of a column", () => {
    const place = { row: 3, column: 10 };
    expect(movePlace("Home", place, 7, 24)).toEqual({ row: 3, column: 0 });
    expect(movePlace("End", place, 7, 24)).toEqual({ row: 3, column: 23 });
    expect(movePlace("PageUp", place, 7, 24)).toEqual({ row: 0, column: 10 });
    expect(movePlace("PageDown", place, 7, 24)).toEqual({ row: 6, column: 10 });
    expect(movePlace("a", place, 7, 24)).toBeNull();
  });
});

describe("transposeGrid", () => {
  it("turns days across and hours down, and back", () => {
    const line = (key: string) => ({ key, label: key, isNow: false });
    const cell = (when: string) => ({
      id: when,
      when,
      isNow: false,
      cell: { n: 0, k: 0, rate: null, low: null, high: null, state: "none" as const },
    });
    const grid = {
      columns: [line("00"), line("01"), line("02")],
      rows: [
        { ...line("Mon"), cells: [cell("a"), cell("b"), null] },
        { ...line("Tue"), cells: [cell("c"), null, cell("d")] },
      ],
    };
    const turned = transposeGrid(grid);
    expect(turned.columns.map(({ key }) => key)).toEqual(["Mon", "Tue"]);
    expect(turned.rows.map(({ cells }) => cells.map((one) => one?.when))).toEqual([
      ["a", "c"],
      ["b", undefined],
      [undefined, "d"],
    ]);
    expect(transposeGrid(turned)).toEqual(grid);
  });
});
