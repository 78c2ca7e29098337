import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadOf, requestsPerHour } from "./demand.ts";
import { listEpisodes } from "./episodes.ts";
import { FLOWS } from "./flows.ts";
import { DAY_MS, HOUR_MS } from "./local-hour.ts";
import { TARGETS } from "./targets.ts";
import { createWorld, findIncident } from "./world.ts";

const anchorMs = Date.parse("2026-07-08T13:37:11Z");
const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const anchors = fc.integer({ min: Date.parse("2025-01-01Z"), max: Date.parse("2030-01-01Z") });

describe("listEpisodes", () => {
  it("places 8 or 9 in eight weeks, of 20–90 minutes and 30–80 %, one of them 24–36 hours ago", () => {
    fc.assert(
      fc.property(seeds, anchors, (seed, anchor) => {
        const episodes = listEpisodes(createWorld(seed, anchor), anchor - 56 * DAY_MS, anchor);
        expect([8, 9]).toContain(episodes.length);
        for (const { fromMs, toMs, share } of episodes) {
          expect(toMs - fromMs).toBeGreaterThanOrEqual(20 * 60_000);
          expect(toMs - fromMs).toBeLessThanOrEqual(90 * 60_000);
          expect(share).toBeGreaterThanOrEqual(0.3);
          expect(share).toBeLessThan(0.8);
        }
        const last = episodes.at(-1);
        expect(last?.target).toBe("opus");
        expect(last?.fromMs).toBeGreaterThanOrEqual(anchor - 36 * HOUR_MS);
        expect(last?.toMs).toBeLessThanOrEqual(anchor - 24 * HOUR_MS);
      }),
    );
  });

  it("finds the same episodes whatever range is asked, and goes on after the anchor", () => {
    const world = createWorld(3, anchorMs);
    const whole = listEpisodes(world, anchorMs - 30 * DAY_MS, anchorMs + 30 * DAY_MS);
    const parts = [];
    for (let day = -30; day < 30; day++) {
      const fromMs = anchorMs + day * DAY_MS;
      parts.push(...listEpisodes(createWorld(3, anchorMs), fromMs, fromMs + DAY_MS));
    }
    expect(new Set(parts.map((episode) => episode.fromMs))).toEqual(
      new Set(whole.map((episode) => episode.fromMs)),
    );
    expect(whole.filter((episode) => episode.fromMs > anchorMs).length).toBeGreaterThanOrEqual(4);
  });
});

describe("createWorld", () => {
  it("has its holiday on a Monday, 31 to 37 days before the anchor", () => {
    expect(createWorld(1, anchorMs).holiday).toBe("2026-06-01");
  });

  it("is calm on the holiday: 70 % fewer requests, busy hours nearly empty", () => {
    const world = createWorld(1, anchorMs);
    const noon = Date.parse("2026-06-01T16:00:00Z");
    for (const flow of FLOWS) {
      const ratio = requestsPerHour(world, flow, noon) / requestsPerHour(world, flow, noon + 7 * DAY_MS);
      expect(ratio).toBeCloseTo(0.3);
    }
    expect(loadOf(world, TARGETS.opus, noon)).toBeLessThan(0.15);
    expect(loadOf(world, TARGETS.opus, noon + 7 * DAY_MS)).toBeGreaterThan(0.9);
  });

  it("lets a flow's day add up to what it says", () => {
    const world = createWorld(1, anchorMs);
    const thursday = Date.parse("2026-06-25T04:00:00Z");
    for (const flow of FLOWS) {
      let sum = 0;
      for (let minute = 0; minute < 1_440; minute++) {
        sum += requestsPerHour(world, flow, thursday + minute * 60_000) / 60;
      }
      expect(sum / flow.requestsPerDay).toBeCloseTo(1, 2);
    }
  });
});

describe("findIncident", () => {
  const world = createWorld(1, anchorMs);
  const at = (iso: string) => Date.parse(iso);

  it("spends the quota of one app at one provider, on a workday evening", () => {
    const evening = at("2026-06-26T20:00:00-04:00"); // twelve days before is this Friday
    expect(findIncident(world, TARGETS.gpt, "doc-pipeline", evening)?.outcome).toBe("quota");
    expect(findIncident(world, TARGETS.gpt, "support-chat", evening)).toBeNull();
    expect(findIncident(world, TARGETS.geminiPro, "doc-pipeline", evening)).toBeNull();
    expect(findIncident(world, TARGETS.gpt, "doc-pipeline", evening + DAY_MS)).toBeNull();
  });

  it("ends the retired endpoint, and only that, with 404s", () => {
    const last = at("2026-06-17T10:59:00-04:00");
    expect(findIncident(world, TARGETS.gptEurope, "doc-pipeline", last)?.outcome).toBe("not_found");
    expect(findIncident(world, TARGETS.gpt, "doc-pipeline", last)).toBeNull();
  });
});
