import { describe, expect, it } from "vitest";
import { toCell } from "./cell.ts";
import { judgeNow, judgeShare } from "./judge-now.ts";

const enough = (rate: number) => ({
  n: 100,
  k: rate * 100,
  rate,
  low: rate / 2,
  high: 1,
  state: "enough" as const,
});
const few = { n: 19, k: 5, rate: 5 / 19, low: 0, high: 1, state: "few" as const };

describe("judgeShare", () => {
  it("says short from 5 %, tight from 2 %, room below", () => {
    expect([0.05, 0.0499, 0.02, 0.0199, 0].map((rate) => judgeShare(enough(rate)))).toEqual([
      "short",
      "tight",
      "tight",
      "room",
      "room",
    ]);
  });

  it("does not cry short of a share that may well be chance", () => {
    expect(judgeShare({ n: 40, k: 2, rate: 0.05, low: 0.0138, high: 0.165, state: "enough" })).toBe("tight");
  });

  it("says nothing of few calls, however bad they went", () => {
    expect(judgeShare(few)).toBe("few");
    expect(judgeShare(toCell(0, 0))).toBe("silent");
  });
});

describe("judgeNow", () => {
  it("takes the last hour, and three hours together only where one is too thin", () => {
    expect(judgeNow(enough(0), enough(0.3))).toMatchObject({ hours: 1, state: "room" });
    expect(judgeNow(few, enough(0.3))).toMatchObject({ hours: 3, state: "short" });
    expect(judgeNow(few, few)).toMatchObject({ hours: 1, state: "few" });
    expect(judgeNow(undefined, few)).toMatchObject({ hours: 3, state: "few" });
    expect(judgeNow()).toMatchObject({ hours: 1, state: "silent" });
  });
});
