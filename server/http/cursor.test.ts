import { describe, expect, it } from "vitest";
import { AppError } from "./app-error.ts";
import { readCursor } from "./cursor.ts";

describe("a cursor", () => {
  it("is a number that the column can hold", () => {
    expect(readCursor(undefined, "integer")).toBeNull();
    expect(readCursor("2147483647", "integer")).toBe(2_147_483_647);
    expect(readCursor("2147483648", "bigint")).toBe(2_147_483_648);
    for (const text of ["2147483648", "-1", "1e3", "0x10", " 1", "1.5", "", "9".repeat(17)])
      expect(() => readCursor(text, "integer"), text).toThrow(AppError);
    expect(() => readCursor("9999999999999999", "bigint")).toThrow(AppError);
  });
});
