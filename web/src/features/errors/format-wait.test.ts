import { expect, it } from "vitest";
import { formatWait } from "./format-wait.ts";

it.each([
  [0.4, "1 ms"],
  [250, "250 ms"],
  [1_000, "1 sec"],
  [6_001, "7 secs"],
  [59_999, "1 min"],
  [90_000, "1 min 30 secs"],
  [3_599_500, "1 hr"],
  [30_240_000, "8 hrs 24 mins"],
  [30_240_001, "8 hrs 25 mins"],
  [86_400_000, "1 day"],
])("tells %d ms as %s", (ms, text) => {
  expect(formatWait(ms, "en")).toBe(text);
});

it("tells it in Chinese", () => {
  expect(formatWait(90_000, "zh")).toBe("1分钟 30秒");
});
