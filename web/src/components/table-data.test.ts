import { describe, expect, it } from "vitest";
import { sortRows, toCsv, toFileName, toJson } from "./table-data.ts";

describe("toCsv", () => {
  it("says what is shown in its first line, then quotes what needs it", () => {
    const csv = toCsv({
      title: "Busy hours",
      context: ["project=sample", "zone=UTC"],
      columns: ["hour", "share"],
      rows: [
        ['Mon "1"', 0.25],
        ["a,b", null],
        ["two\nlines", 0],
      ],
    });
    expect(csv).toBe(
      '# Busy hours; project=sample; zone=UTC\r\nhour,share\r\n"Mon ""1""",0.25\r\n"a,b",\r\n"two\nlines",0\r\n',
    );
  });

  it("keeps names from becoming formulas, and negative numbers numbers", () => {
    const csv = toCsv({ title: "t", context: [], columns: ["a", "b"], rows: [["=1+1", -2]] });
    expect(csv).toContain("'=1+1,-2");
  });

  it("cannot be made to begin a line of its own in the header", () => {
    expect(toCsv({ title: "a\nb", context: ["c\r\nd"], columns: [], rows: [] }).split("\r\n")[0]).toBe(
      "# a b; c d",
    );
  });
});

describe("toJson", () => {
  it("says what is shown, and keeps numbers, absent values and columns of one name", () => {
    const json = toJson({
      title: "t",
      context: ["zone=UTC", "model=a=b"],
      columns: ["day", "share", "day"],
      rows: [["Mon", 0.5, null]],
    });
    expect(JSON.parse(json)).toEqual({
      title: "t",
      context: { zone: "UTC", model: "a=b" },
      rows: [{ day: "Mon", share: 0.5, "day 3": null }],
    });
  });
});

describe("toFileName", () => {
  it("makes a name of a title in any script", () => {
    const at = Date.parse("2026-11-29T23:00:00Z");
    expect(toFileName("Busy hours: week!", at, "csv")).toBe("busy-hours-week-2026-11-29.csv");
    expect(toFileName("一周 忙时", at, "json")).toBe("一周-忙时-2026-11-29.json");
    expect(toFileName("…", at, "csv")).toBe("busyhour-2026-11-29.csv");
  });
});

describe("sortRows", () => {
  const rows = [
    ["b", 10],
    ["a", null],
    ["c", 9],
  ] as const;

  it("sorts numbers by size and leaves absent ones at the end", () => {
    expect(sortRows(rows, 1, "ascending").map(([name]) => name)).toEqual(["c", "b", "a"]);
    expect(sortRows(rows, 1, "descending").map(([name]) => name)).toEqual(["b", "c", "a"]);
  });

  it("leaves the rows that it was given alone", () => {
    sortRows(rows, 0, "ascending");
    expect(rows[0][0]).toBe("b");
  });
});
