import { describe, expect, it } from "vitest";
import type { TargetAdviceAnswer } from "../../../../server/contract/advice.ts";
import { en } from "../../messages/en.ts";
import { createFormats } from "../../messages/formats.ts";
import { describeDays, hoursOfWindows, sortAdvice, summariseBacktest } from "./windows.ts";

const formats = createFormats("en", "UTC");
const ALL = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

describe("hours of windows", () => {
  it("go past midnight and past the end of the week", () => {
    expect([...hoursOfWindows([{ days: ["sun"], from: "22:00", to: "01:00" }])]).toEqual([166, 167, 0]);
    expect(hoursOfWindows([{ days: ["mon"], from: "00:00", to: "00:00" }]).size).toBe(24);
    expect(hoursOfWindows([{ days: ALL, from: "02:00", to: "05:00" }]).size).toBe(21);
  });
});

describe("days in words", () => {
  it.each([
    [ALL, "every day"],
    [["mon", "tue", "wed", "thu", "fri"], "on weekdays"],
    [["sun", "sat"], "at weekends"],
    [["fri", "mon"], "on Mon, Fri"],
  ])("%j", (days, words) => {
    expect(describeDays(days, en, formats)).toBe(words);
  });
});

const target = (model: string, verdict: TargetAdviceAnswer["verdict"], expected: number) =>
  ({ model, verdict, windows: verdict === "advise" ? [{ usual: 0.1, expected }] : [] }) as TargetAdviceAnswer;

describe("cards", () => {
  it("stand in the order of what is gained, after which come those without advice", () => {
    const { advised, others } = sortAdvice({
      asOf: "",
      zone: "UTC",
      any: null,
      targets: [target("a", "noGain", 0), target("b", "advise", 0.05), target("c", "advise", 0.01)],
    });
    expect([advised.map(({ model }) => model), others.map(({ model }) => model)]).toEqual([
      ["c", "b"],
      ["a"],
    ]);
  });

  it("sum weeks up", () => {
    expect(summariseBacktest([])).toBeNull();
    expect(
      summariseBacktest([
        { week: "2026-W02", inWindow: 0.02, usual: 0.1, oracle: 0 },
        { week: "2026-W01", inWindow: 0.04, usual: 0.2, oracle: 0 },
      ]),
    ).toEqual({ inWindow: 0.03, usual: expect.closeTo(0.15) });
  });
});
