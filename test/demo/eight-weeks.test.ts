import { OUTCOMES } from "@busyhour/sdk";
import { describe, expect, it } from "vitest";
import type { DemoAttempt } from "../../server/demo/demo-attempt.ts";
import { HOME_ZONE, NEW_MODEL_SINCE, RETIRED_AT } from "../../server/demo/flows.ts";
import { generateTraffic } from "../../server/demo/generate-traffic.ts";
import { DAY_MS, getLocalHour, resolveMoment } from "../../server/demo/local-hour.ts";
import { MAX_REQUEST_SPAN_MS } from "../../server/demo/play-request.ts";
import { TARGETS, type TargetName } from "../../server/demo/targets.ts";
import { createWorld } from "../../server/demo/world.ts";
import { parseAttempt } from "../../server/ingest/parse-attempt.ts";

const anchorMs = Date.parse("2026-07-08T13:37:11Z");
const events = [...generateTraffic({ seed: 7, anchorMs, fromMs: anchorMs - 56 * DAY_MS, toMs: anchorMs })];
const timeOf = (event: DemoAttempt) => Date.parse(event.occurredAt);

const eventsOf = (name: TargetName) => {
  const { model, endpoint } = TARGETS[name];
  return events.filter((event) => event.model === model && event.endpoint === endpoint);
};
/** `Map.groupBy`, which Node 20 has not got. */
function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

const capacityShare = (some: readonly DemoAttempt[]) =>
  some.filter((event) => event.outcome === "capacity").length / some.length;

/** Weekday events whose local hour in this zone lies in [from, to). */
const within = (some: readonly DemoAttempt[], zone: string, from: number, to: number) =>
  some.filter((event) => {
    const local = getLocalHour(timeOf(event), zone);
    return local.dayOfWeek <= 5 && local.hour >= from && local.hour < to;
  });

describe("eight weeks of made traffic", () => {
  it("are 250,000 to 400,000 attempts in time order, no id twice", () => {
    expect(events.length).toBeGreaterThan(250_000);
    expect(events.length).toBeLessThan(400_000);
    expect(new Set(events.map((event) => event.eventId)).size).toBe(events.length);
    expect(events.every((event, i) => i === 0 || timeOf(event) >= timeOf(events[i - 1] ?? event))).toBe(true);
  });

  it("are taken by our own ingest as they are", () => {
    const limits = { nowMs: anchorMs, rawRetentionDays: 57 };
    for (const event of events) {
      const parsed = parseAttempt(event, limits);
      if (!parsed.ok) throw new Error(`${parsed.pointer} ${parsed.detail}: ${JSON.stringify(event)}`);
      if (parsed.unknownFields.length > 0) throw new Error(`unknown ${parsed.unknownFields}`);
      if (parsed.attempt.eventId !== event.eventId || !parsed.attempt.hasOwnId) throw new Error("another id");
    }
  });

  it("hold requests whose attempts are numbered in time order, the last one final", () => {
    const requests = groupBy(events, (event) => event.requestId);
    for (const attempts of requests.values()) {
      // A request may have begun before the range, or go on after it.
      const first = attempts[0];
      if (first === undefined || timeOf(first) < anchorMs - 56 * DAY_MS + MAX_REQUEST_SPAN_MS) continue;
      if (timeOf(first) > anchorMs - MAX_REQUEST_SPAN_MS) continue;
      const numbers = attempts.map((event) => event.attempt);
      if (numbers.some((number, i) => number !== i + 1)) throw new Error(`attempts ${numbers}`);
      const finals = attempts.map((event) => event.isFinal);
      if (finals.some((isFinal, i) => isFinal !== (i === attempts.length - 1))) throw new Error(`${finals}`);
      if (attempts.some((event, i) => event.position < (attempts[i - 1]?.position ?? 0)))
        throw new Error("climbs");
    }
    expect(new Set(events.map((event) => event.attempt))).toEqual(new Set([1, 2, 3, 4]));
  });

  it("let people feel far less than the providers did", () => {
    const requests = events.filter((event) => event.isFinal);
    expect(capacityShare(events)).toBeGreaterThan(0.03);
    expect(capacityShare(requests)).toBeLessThan(0.001);
  });

  it.each([
    ["opus", 10, 16, 0.1, 0.14],
    ["gpt", 10, 16, 0.07, 0.12],
    ["sonnet", 10, 16, 0.045, 0.09],
    ["gptMini", 10, 16, 0.02, 0.05],
    ["deepseek", 10, 16, 0.09, 0.15],
    ["qwen", 10, 16, 0.05, 0.11],
    ["geminiPro", 18, 22, 0.08, 0.15],
    ["geminiNew", 10, 16, 0.11, 0.22],
  ] as const)("make %s full from %d to %d o'clock of its customers", (name, from, to, least, most) => {
    const own = eventsOf(name);
    const busy = capacityShare(within(own, TARGETS[name].zone, from, to));
    expect(busy).toBeGreaterThan(least);
    expect(busy).toBeLessThan(most);
  });

  it.each(["opus", "gpt", "sonnet", "gptMini", "deepseek"] as const)("leave %s room at night", (name) => {
    const night = within(eventsOf(name), TARGETS[name].zone, 1, 5);
    expect(night.length).toBeGreaterThan(300);
    expect(capacityShare(night)).toBeLessThan(0.01);
  });

  it("have one target without a pattern, and a floor that always has room", () => {
    const flash = eventsOf("geminiFlash");
    const [day, night] = [within(flash, HOME_ZONE, 10, 16), within(flash, HOME_ZONE, 20, 24)];
    expect(Math.abs(capacityShare(day) - capacityShare(night))).toBeLessThan(0.01);
    expect(capacityShare(eventsOf("local"))).toBe(0);
    expect(eventsOf("local").length).toBeGreaterThan(5_000);
  });

  it("have a model too thin to judge, one that is new and an endpoint that is gone", () => {
    expect(eventsOf("mistral").length).toBeLessThan(56 * 6);
    expect(eventsOf("mistral").length).toBeGreaterThan(56);
    const since = resolveMoment(NEW_MODEL_SINCE, anchorMs, HOME_ZONE);
    const until = resolveMoment(RETIRED_AT, anchorMs, HOME_ZONE);
    const [isNew, isGone] = [eventsOf("geminiNew").map(timeOf), eventsOf("gptEurope").map(timeOf)];
    expect(isNew.length).toBeGreaterThan(1_000);
    expect(Math.min(...isNew)).toBeGreaterThanOrEqual(since);
    expect(isGone.reduce((latest, timeMs) => Math.max(latest, timeMs), 0)).toBeLessThan(
      until + MAX_REQUEST_SPAN_MS,
    );
  });

  it("are calm on weekends and on the holiday", () => {
    const { holiday } = createWorld(7, anchorMs);
    const days = groupBy(events, (event) => getLocalHour(timeOf(event), HOME_ZONE).date);
    const meanOfDays = (dayOfWeek: number) => {
      const own = [...days].filter(([date]) => new Date(date).getUTCDay() === dayOfWeek && date !== holiday);
      return own.reduce((sum, [, list]) => sum + list.length, 0) / own.length;
    };
    const quiet = days.get(holiday) ?? [];
    expect(quiet.length / meanOfDays(1)).toBeGreaterThan(0.2);
    expect(quiet.length / meanOfDays(1)).toBeLessThan(0.4);
    expect(capacityShare(quiet)).toBeLessThan(0.025);
    expect(meanOfDays(6) / meanOfDays(2)).toBeLessThan(0.5);
  });

  it("hold every failure that happens in real life, in small shares", () => {
    const counts = new Map<string, number>(OUTCOMES.map((outcome) => [outcome, 0]));
    for (const { outcome } of events) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const missing = [...counts].filter(([, count]) => count === 0).map(([outcome]) => outcome);
    expect(missing).toEqual(["permission", "unknown", "bad_output"]);
    for (const [outcome, count] of counts) {
      if (outcome === "ok" || outcome === "capacity") continue;
      expect(count / events.length).toBeLessThan(0.015);
    }
  });
});
