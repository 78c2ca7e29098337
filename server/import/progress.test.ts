import { expect, test } from "vitest";
import { createProgress, formatDuration, formatProgress } from "./progress.ts";

test("the line has rows, rate, share and time left", () => {
  const state = { rows: 1_234_000, what: "rows", elapsedMs: 12_592, done: 42, total: 100 };
  expect(formatProgress(state)).toBe("  1,234,000 rows  97,999/s  42 %  0:18 left");
  expect(formatProgress({ ...state, total: null })).toBe("  1,234,000 rows  97,999/s");
  expect(formatProgress({ rows: 0, what: "attempts", elapsedMs: 0, done: 0, total: 5 })).toBe(
    "  0 attempts  0 %",
  );
});

test.each([
  [0, "0:00"],
  [100, "0:01"],
  [59_001, "1:00"],
  [3_661_000, "61:01"],
])("%i ms are %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

function record(isTTY: boolean) {
  const written: string[] = [];
  let at = 0;
  const progress = createProgress({ isTTY, write: (text: string) => written.push(text) }, () => at);
  const update = (ms: number) => {
    at = ms;
    progress.update(ms, 0, null);
  };
  return { written, progress, update };
}

test("a terminal is redrawn at most ten times a second, and messages stand above the bar", () => {
  const { written, progress, update } = record(true);
  for (let ms = 0; ms <= 250; ms += 10) update(ms);
  progress.say("busy");
  progress.stop();
  const clear = "\r\u001b[K";
  const [first, second] = ["  100 rows  1,000/s", "  200 rows  1,000/s"];
  expect(written).toEqual([`${clear}${first}`, `${clear}${second}`, clear, "busy\n", second, clear]);
});

test("elsewhere there is a plain line every five seconds", () => {
  const { written, progress, update } = record(false);
  for (let ms = 0; ms <= 12_000; ms += 1_000) update(ms);
  progress.stop();
  expect(written).toEqual(["  5,000 rows  1,000/s\n", "  10,000 rows  1,000/s\n"]);
});
