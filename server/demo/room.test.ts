import { describe, expect, it } from "vitest";
import { type Episode, listEpisodes, shareInEpisode } from "./episodes.ts";
import { HOUR_MS } from "./local-hour.ts";
import { createHourRooms } from "./room.ts";
import { TARGETS } from "./targets.ts";
import { createWorld } from "./world.ts";

const anchorMs = Date.parse("2026-07-08T13:37:11Z");
const wednesdayNoon = Date.parse("2026-06-24T16:00:00Z");

describe("createHourRooms", () => {
  it("gives 12 % at the flagship's top on average over many worlds, and a slower model", () => {
    let sum = 0;
    for (let seed = 0; seed < 400; seed++) {
      const world = createWorld(seed, anchorMs);
      if (listEpisodes(world, wednesdayNoon, wednesdayNoon + 4 * HOUR_MS).length > 0) continue;
      const room = createHourRooms(world, wednesdayNoon + 2 * HOUR_MS).at(
        "opus",
        wednesdayNoon + 2.5 * HOUR_MS,
      );
      sum += room.capacityShare / 400;
      expect(room.slowness).toBeCloseTo(1.9);
    }
    expect(sum).toBeGreaterThan(0.11);
    expect(sum).toBeLessThan(0.125);
  });

  it("never turns anyone away at the floor", () => {
    const rooms = createHourRooms(createWorld(1, anchorMs), wednesdayNoon);
    expect(rooms.at("local", wednesdayNoon)).toEqual({ capacityShare: 0, slowness: 1 });
  });

  it("lets an episode begin and end to the millisecond", () => {
    const world = createWorld(1, anchorMs);
    const episode = listEpisodes(world, anchorMs - 36 * HOUR_MS, anchorMs).at(-1);
    if (episode === undefined) throw new Error("no episode");
    const roomAt = (timeMs: number) =>
      createHourRooms(world, Math.floor(timeMs / HOUR_MS) * HOUR_MS).at(episode.target, timeMs);
    expect(roomAt(episode.fromMs - 1).capacityShare).toBeLessThan(0.3);
    expect(roomAt(episode.fromMs).capacityShare).toBe(episode.share);
    expect(roomAt(episode.toMs - 1).capacityShare).toBe(episode.share);
    expect(roomAt(episode.toMs).capacityShare).toBeLessThan(0.3);
  });
});

describe("shareInEpisode", () => {
  const episode: Episode = { target: "opus", fromMs: 1_000, toMs: 2_000, share: 0.6, isProviderWide: true };

  it("hits the provider's other models half as hard, and nobody else's", () => {
    expect(shareInEpisode(episode, TARGETS.opus, 1_000)).toBe(0.6);
    expect(shareInEpisode(episode, TARGETS.sonnet, 1_000)).toBe(0.3);
    expect(shareInEpisode({ ...episode, isProviderWide: false }, TARGETS.sonnet, 1_000)).toBe(0);
    expect(shareInEpisode(episode, TARGETS.gpt, 1_000)).toBe(0);
  });
});
