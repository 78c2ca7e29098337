import { describe, expect, it } from "vitest";
import {
  COMPARES,
  DAY_MS,
  earlierByMs,
  parseLength,
  readRange,
  resolveRange,
  shiftRange,
  writeRange,
} from "./range.ts";

const now = Date.parse("2026-11-29T12:00:00Z");
const toParams = (values: Record<string, string | null>) =>
  new URLSearchParams(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null));

describe("parseLength", () => {
  it("reads hours and days, and nothing else", () => {
    expect(parseLength("6h")).toBe(6 * 3_600_000);
    expect(parseLength("28d")).toBe(28 * DAY_MS);
    for (const text of ["", "0d", "7", "d", "-1d", "1w", "9999d", "7d "])
      expect(parseLength(text)).toBeNull();
  });
});

describe("ranges in the URL", () => {
  it("come back as they were written", () => {
    const last = { kind: "last", text: "7d" } as const;
    const between = { kind: "between", fromMs: now - 5_000, toMs: now } as const;
    expect(readRange(toParams(writeRange(last)))).toEqual(last);
    expect(readRange(toParams(writeRange(between)))).toEqual(between);
    expect(writeRange(between).from).toBe("2026-11-29T11:59:55Z");
    expect(writeRange(between).to).toBe("2026-11-29T12:00Z");
  });

  it("are none when they make no sense", () => {
    expect(readRange(new URLSearchParams("range=soon"))).toBeNull();
    expect(readRange(new URLSearchParams("from=2026-11-29T12:00Z&to=2026-11-29T12:00Z"))).toBeNull();
    expect(readRange(new URLSearchParams("from=2026-11-29T12:00Z"))).toBeNull();
  });
});

describe("earlierByMs", () => {
  it("is the range's own length, a week or four", () => {
    const range = { kind: "last", text: "24h" } as const;
    expect(COMPARES.map((compare) => earlierByMs(range, compare) / DAY_MS)).toEqual([1, 7, 28]);
  });
});

describe("shiftRange", () => {
  it("steps back by its own length, and forward again to the range that ends now", () => {
    const before = shiftRange({ kind: "last", text: "24h" }, -1, now);
    expect(before).toEqual({ kind: "between", fromMs: now - 2 * DAY_MS, toMs: now - DAY_MS });
    expect(shiftRange(before, 1, now)).toEqual({ kind: "last", text: "24h" });
  });

  it("never reaches past now", () => {
    const shifted = shiftRange({ kind: "between", fromMs: now - DAY_MS, toMs: now - 1 }, 1, now);
    expect(resolveRange(shifted, now).toMs).toBe(now);
  });
});
