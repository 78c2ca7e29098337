import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateHour, generateTraffic } from "./generate-traffic.ts";
import { DAY_MS, HOUR_MS } from "./local-hour.ts";
import { MAX_REQUEST_SPAN_MS } from "./play-request.ts";
import { createWorld } from "./world.ts";

const anchorMs = Date.parse("2026-07-08T13:37:11.250Z");
const noon = Date.parse("2026-07-07T16:00:00Z");
const listRange = (fromMs: number, toMs: number, seed = 7) => [
  ...generateTraffic({ seed, anchorMs, fromMs, toMs }),
];

describe("generateTraffic", () => {
  it("gives the same events with the same ids each time, and others for another seed", () => {
    const events = listRange(noon, noon + HOUR_MS);
    expect(events.length).toBeGreaterThan(200);
    expect(listRange(noon, noon + HOUR_MS)).toEqual(events);
    const ids = new Set(events.map((event) => event.eventId));
    expect(listRange(noon, noon + HOUR_MS, 8).some((event) => ids.has(event.eventId))).toBe(false);
  });

  it("gives in parts what it gives in one piece, before and after the anchor", () => {
    const offsets = fc.integer({ min: -40 * DAY_MS, max: 3 * DAY_MS });
    const lengths = fc.oneof(fc.integer({ min: 0, max: 120_000 }), fc.integer({ min: 0, max: 4 * HOUR_MS }));
    fc.assert(
      fc.property(offsets, lengths, lengths, (offset, first, second) => {
        const a = anchorMs + offset;
        const [b, c] = [a + first, a + first + second];
        expect([...listRange(a, b), ...listRange(b, c)]).toEqual(listRange(a, c));
      }),
      { numRuns: 25 },
    );
  });

  it("keeps to [from, to) at full hours and within them", () => {
    for (const fromMs of [noon, noon + 17, noon - 1]) {
      for (const { occurredAt } of listRange(fromMs, fromMs + 60_000)) {
        expect(Date.parse(occurredAt)).toBeGreaterThanOrEqual(fromMs);
        expect(Date.parse(occurredAt)).toBeLessThan(fromMs + 60_000);
      }
    }
    const [event] = listRange(noon, noon + HOUR_MS);
    if (event === undefined) throw new Error("an hour without events");
    const timeMs = Date.parse(event.occurredAt);
    expect(listRange(timeMs, timeMs + 1)).toContainEqual(event);
    expect(listRange(timeMs + 1, timeMs + 1)).toEqual([]);
    expect(listRange(timeMs, timeMs - 1)).toEqual([]);
  });
});

describe("generateHour", () => {
  const hours = Array.from({ length: 24 }, (_, i) => noon - i * HOUR_MS);

  it("lets attempts start in its hour or within five minutes after it, and none gets lost there", () => {
    const world = createWorld(7, anchorMs);
    const made: string[] = [];
    let beyond = 0;
    for (let hourMs = noon - 120 * HOUR_MS; hourMs < noon; hourMs += HOUR_MS) {
      for (const { occurredAt, eventId } of generateHour(world, hourMs)) {
        const timeMs = Date.parse(occurredAt);
        if (timeMs < hourMs || timeMs >= hourMs + HOUR_MS + MAX_REQUEST_SPAN_MS) throw new Error(occurredAt);
        if (timeMs >= hourMs + HOUR_MS) beyond++;
        if (timeMs >= noon - 119 * HOUR_MS && timeMs < noon) made.push(eventId);
      }
    }
    expect(beyond).toBeGreaterThan(0);
    const asked = listRange(noon - 119 * HOUR_MS, noon).map((event) => event.eventId);
    expect(asked).toEqual(made.sort());
  });

  it("does not depend on the hours that were made before", () => {
    const world = createWorld(7, anchorMs);
    const backwards = hours.map((hourMs) => generateHour(world, hourMs));
    const alone = hours.map((hourMs) => generateHour(createWorld(7, anchorMs), hourMs));
    expect(backwards).toEqual(alone);
  });

  it("refuses what is no full hour", () => {
    expect(() => generateHour(createWorld(7, anchorMs), noon + 1)).toThrow(RangeError);
  });
});
