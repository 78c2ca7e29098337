import { describe, expect, it } from "vitest";
import type { Diagnosis } from "../../../../server/contract/diagnosis.ts";
import type { EpisodesAnswer } from "../../../../server/contract/episode.ts";
import { busiestHour, listDayMarks, markOf, toTimeline } from "./episode-rows.ts";

const range = { from: "2026-11-01T00:00:00Z", to: "2026-11-11T00:00:00Z" };
const name = (model: string) => ({ provider: "acme", model, endpoint: "" });
const episode = (id: number, model: string, openedAt: string, lastSeenAt: string) =>
  ({
    id,
    ...name(model),
    openedAt,
    lastSeenAt,
    isProviderWide: id === 2,
  }) as EpisodesAnswer["episodes"][number];

describe("the timeline", () => {
  const rows = toTimeline({
    zone: "UTC",
    range,
    episodes: [
      episode(1, "a", "2026-10-31T12:00:00Z", "2026-11-02T00:00:00Z"),
      episode(2, "b", "2026-11-06T00:00:00Z", "2026-11-06T00:10:00Z"),
      episode(3, "b", "2026-11-10T23:59:00Z", "2026-11-11T00:00:00Z"),
    ],
    targets: [
      { ...name("a"), episodes: 1 },
      { ...name("b"), episodes: 2 },
      { ...name("calm"), episodes: 0 },
    ] as EpisodesAnswer["targets"],
  });

  it("has a line for each target that was short, the most frequent first", () => {
    expect(rows.map(({ target }) => target.model)).toEqual(["b", "a"]);
  });

  it("cuts at the ends of the range, and keeps short ones in sight", () => {
    expect(rows[1]?.bars).toMatchObject([{ id: 1, from: 0, width: 0.1 }]);
    expect(rows[0]?.bars).toMatchObject([
      { id: 2, from: 0.5, width: 0.003, isProviderWide: true },
      { id: 3, from: 0.997, width: 0.003 },
    ]);
  });

  it("marks days within it, fewer where there are many", () => {
    const days = Array.from({ length: 11 }, (_, day) => Date.parse(range.from) + day * 86_400_000);
    expect(listDayMarks({ range }, days, 15)).toHaveLength(9);
    expect(listDayMarks({ range }, days, 5).map(({ place }) => place)).toEqual([0.1, 0.4, 0.7]);
  });
});

it("the hour at which most began is the earliest of several", () => {
  expect(busiestHour([0, 2, 5, 5, 1])).toBe(2);
});

describe("a step", () => {
  const step = (name: string, verdict: string) => ({ step: name, verdict }) as Diagnosis["steps"][number];

  it.each([
    ["attempts", "storm", "points"],
    ["attempts", "unknown", "unknown"],
    ["concurrency", "innocent", "clear"],
    ["scope", "provider", "points"],
    ["scope", "nothing", "clear"],
    ["kind", "capacity", "clear"],
    ["elsewhere", "both", "clear"],
  ])("%s: %s %s", (name, verdict, mark) => {
    expect(markOf(step(name, verdict))).toBe(mark);
  });
});
