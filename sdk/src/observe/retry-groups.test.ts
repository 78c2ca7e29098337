import { describe, expect, it } from "vitest";
import type { AttemptEvent } from "../attempt-event.ts";
import { type RequestMark, RetryGroups, repetitionWaitMs } from "./retry-groups.ts";

function aGroup() {
  let nowMs = 0;
  const timers: { dueMs: number; callback: () => void }[] = [];
  const reported: AttemptEvent[] = [];
  const groups = new RetryGroups((event) => void reported.push(event), {
    now: () => nowMs,
    setTimer(callback, delayMs) {
      const timer = { dueMs: nowMs + delayMs, callback };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  });
  return {
    groups,
    reported,
    timers,
    advance(ms: number) {
      nowMs += ms;
      for (const timer of timers.filter(({ dueMs }) => dueMs <= nowMs)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.callback();
      }
    },
  };
}

const mark = (more: Partial<RequestMark> = {}): RequestMark => ({
  url: "u",
  body: "b",
  retryCount: null,
  requestKey: null,
  ...more,
});
const event = (requestId: string, more: Partial<AttemptEvent> = {}): AttemptEvent => ({
  occurredAt: 0,
  provider: "p",
  model: "m",
  outcome: "capacity",
  requestId,
  ...more,
});

describe("attempts of one request", () => {
  it("are found by address and body", () => {
    const { groups, reported } = aGroup();
    expect(groups.join(mark())).toEqual({ requestId: null, attempt: 1, limitMs: null });
    groups.settle(groups.expect(mark(), "r", 1), event("r"), 1_000);
    expect(groups.join(mark({ body: "c" })).requestId).toBeNull();
    expect(groups.join(mark({ url: "v" })).requestId).toBeNull();
    expect(groups.join(mark({ retryCount: 0 })).requestId).toBeNull();
    expect(reported).toEqual([]);
    expect(groups.join(mark())).toMatchObject({ requestId: "r", attempt: 2 });
    expect(reported).toMatchObject([{ isFinal: false }]);
    expect(groups.join(mark()).requestId).toBeNull();
  });

  it("are found although the first is still to be told of", () => {
    const { groups, reported } = aGroup();
    const waiting = groups.expect(mark(), "r", 1);
    expect(groups.join(mark())).toMatchObject({ requestId: "r", attempt: 2 });
    groups.settle(waiting, event("r"), 1_000);
    expect(reported).toMatchObject([{ isFinal: false }]);
  });

  it("are matched by number where the client tells it", () => {
    const { groups } = aGroup();
    groups.settle(groups.expect(mark(), "a", 2), event("a"), 1_000);
    groups.settle(groups.expect(mark(), "b", 1), event("b"), 1_000);
    expect(groups.join(mark({ retryCount: 1 }))).toMatchObject({ requestId: "b", attempt: 2 });
    expect(groups.join(mark({ retryCount: 2 }))).toMatchObject({ requestId: "a", attempt: 3 });
    expect(groups.join(mark({ retryCount: 3 }))).toEqual({ requestId: null, attempt: 4, limitMs: null });
  });

  it("are matched by the client's own name for the request, whatever is sent", () => {
    const { groups } = aGroup();
    groups.settle(groups.expect(mark({ requestKey: "k" }), "r", 1), event("r"), 1_000);
    expect(groups.join(mark({ body: "other", requestKey: "k" }))).toMatchObject({
      requestId: "r",
      attempt: 2,
    });
  });

  it("are final when their time is over, each at its own", () => {
    const { groups, reported, advance, timers } = aGroup();
    groups.settle(groups.expect(mark({ body: "late" }), "late", 1), event("late"), 2_000);
    groups.settle(groups.expect(mark({ body: "soon" }), "soon", 1), event("soon"), 1_000);
    groups.settle(groups.expect(mark({ body: "now" }), "now", 1), event("now"), 0);
    expect(reported).toMatchObject([{ requestId: "now", isFinal: true }]);
    advance(999);
    expect(reported).toHaveLength(1);
    advance(1);
    expect(reported[1]).toMatchObject({ requestId: "soon", isFinal: true });
    advance(1_000);
    expect(reported[2]).toMatchObject({ requestId: "late", isFinal: true });
    expect(timers).toEqual([]);
  });

  it("turn an abort that was repeated into a time-out", () => {
    const { groups, reported } = aGroup();
    groups.settle(groups.expect(mark(), "r", 1), event("r", { outcome: "cancelled", latencyMs: 100 }), 1_000);
    expect(groups.join(mark())).toMatchObject({ limitMs: 95 });
    expect(reported).toMatchObject([{ outcome: "timeout", isFinal: false }]);
  });

  it("are forgotten, the oldest first, when too many fail at once", () => {
    const { groups, reported } = aGroup();
    for (let i = 0; i <= 1_000; i++)
      groups.settle(groups.expect(mark({ body: `${i}` }), `${i}`, 1), event(`${i}`), 1_000);
    expect(reported).toMatchObject([{ requestId: "0", isFinal: true }]);
    groups.flush();
    expect(reported).toHaveLength(1_001);
  });

  it("are waited for as long as widespread clients wait", () => {
    expect([1, 2, 3, 4, 9].map((attempt) => repetitionWaitMs(attempt, null))).toEqual([
      3_500, 5_500, 9_500, 17_500, 31_500,
    ]);
    expect(repetitionWaitMs(1, 60_000)).toBe(61_500);
    expect(repetitionWaitMs(1, 86_400_000)).toBe(121_500);
  });
});
