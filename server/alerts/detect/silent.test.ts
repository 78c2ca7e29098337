import { describe, expect, it } from "vitest";
import { createDetector } from "./detector.ts";
import { type DetectorState, SLOT_MS, type Verdict } from "./types.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Monday. */
const START = Date.UTC(2026, 5, 1);

const isWorkingHour = (ms: number) => {
  const date = new Date(ms);
  return date.getUTCDay() % 6 !== 0 && date.getUTCHours() >= 8 && date.getUTCHours() < 18;
};

function watch(forMinutes: number, sendsAt: (ms: number) => boolean, untilMs: number) {
  const detector = createDetector({ kind: "silent", forMinutes });
  let state: DetectorState = detector.start;
  const told: [number, Verdict][] = [];
  let before: Verdict = "clear";
  for (let ms = START; ms < untilMs; ms += SLOT_MS) {
    state = detector.advance(state, { startMs: ms, k: 0, n: sendsAt(ms) ? 3 : 0 }, null);
    const { verdict } = detector.judge(state, null, null, ms + SLOT_MS);
    if (verdict !== before) told.push([ms + SLOT_MS - START, verdict]);
    before = verdict;
  }
  return { told, judge: (nowMs: number) => detector.judge(state, null, null, nowMs) };
}

describe("silence", () => {
  it("is told of a source that always sends, since its last event", () => {
    const stopMs = START + 3 * DAY;
    const { told, judge } = watch(60, (ms) => ms < stopMs, stopMs + 2 * HOUR);
    expect(told).toEqual([[3 * DAY + HOUR, "fires"]]);
    expect(judge(stopMs + 90 * MINUTE)).toMatchObject({ sinceMs: stopMs, value: 90, k: 0, n: 0 });
  });

  it("is over with the next event", () => {
    const isOut = (ms: number) => ms >= START + 3 * DAY && ms < START + 3 * DAY + 3 * HOUR;
    const { told } = watch(60, (ms) => !isOut(ms), START + 4 * DAY);
    expect(told.map(([, verdict]) => verdict)).toEqual(["fires", "clear"]);
  });

  it("is not told at night and on weekends of what works by day, the first weeks included", () => {
    const { told } = watch(60, isWorkingHour, START + 21 * DAY);
    expect(told.filter(([, verdict]) => verdict === "fires")).toEqual([]);
  });

  it("is told of a working day without events, an hour late at most for summer time", () => {
    const offMs = START + 15 * DAY; // a Tuesday
    const { told } = watch(60, (ms) => ms < offMs && isWorkingHour(ms), offMs + 18 * HOUR);
    const [firedMs] = told.filter(([, verdict]) => verdict === "fires").map(([ms]) => ms) as [number];
    expect(firedMs).toBe(15 * DAY + 10 * HOUR);
  });

  it("counts plain time from a day on, for what sends once a night", () => {
    const isNightly = (ms: number) => (ms - START) % DAY === 3 * HOUR;
    expect(watch(26 * 60, isNightly, START + 10 * DAY).told.some(([, verdict]) => verdict === "fires")).toBe(
      false,
    );
    const stopped = watch(26 * 60, (ms) => ms < START + 5 * DAY && isNightly(ms), START + 7 * DAY);
    expect(stopped.told.at(-1)).toEqual([4 * DAY + 3 * HOUR + SLOT_MS + 26 * HOUR, "fires"]);
  });

  it("is not silence but the end after a week, and nothing before the first event", () => {
    const { judge } = watch(60, (ms) => ms < START + 2 * DAY, START + 2 * DAY);
    expect(judge(START + 8 * DAY).verdict).toBe("fires");
    expect(judge(START + 10 * DAY)).toMatchObject({ verdict: "clear", sinceMs: null });
    expect(watch(60, () => false, START + DAY).told).toEqual([]);
  });
});
