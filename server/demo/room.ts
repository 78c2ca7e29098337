import { loadOf } from "./demand.ts";
import { type Episode, listEpisodes, shareInEpisode } from "./episodes.ts";
import { getLocalHour, HOUR_MS } from "./local-hour.ts";
import { createRandom, drawNoise } from "./random.ts";
import { TARGETS, type Target, type TargetName } from "./targets.ts";
import type { World } from "./world.ts";

/** How much room a target has at one time. */
export interface Room {
  /** Share of calls that are turned away, 0–1. */
  readonly capacityShare: number;
  /** How many times slower than when it is empty, from 1. */
  readonly slowness: number;
}

/** The room of all targets for the requests that start within one UTC hour, a little beyond it included. */
export interface HourRooms {
  readonly at: (name: TargetName, timeMs: number) => Room;
}

interface TargetHour {
  readonly fromLoad: number;
  readonly toLoad: number;
  /** Days and hours are restless: the share is more or less than the curve says, 1 on average. */
  readonly noise: number;
}

const DAY_SIGMA = 0.25;
const HOUR_SIGMA = 0.3;
const MOST_OWN_SHARE = 0.3;
/** Answers at load 1 take this much longer, as a share. */
const SLOWER_WHEN_FULL = 0.9;
const SLOWER_IN_EPISODE = 1.2;

export function createHourRooms(world: World, hourStartMs: number): HourRooms {
  const episodes = listEpisodes(world, hourStartMs, hourStartMs + 2 * HOUR_MS);
  const hours: Partial<Record<TargetName, TargetHour>> = {};
  return {
    at: (name, timeMs) => {
      const hour = hours[name] ?? describeHour(world, name, hourStartMs);
      hours[name] = hour;
      const load = hour.fromLoad + ((hour.toLoad - hour.fromLoad) * (timeMs - hourStartMs)) / HOUR_MS;
      return toRoom(TARGETS[name], Math.max(0, load), hour.noise, episodes, timeMs);
    },
  };
}

function describeHour(world: World, name: TargetName, hourStartMs: number): TargetHour {
  const target = TARGETS[name];
  const { date } = getLocalHour(hourStartMs, target.zone);
  return {
    fromLoad: loadOf(world, target, hourStartMs),
    toLoad: loadOf(world, target, hourStartMs + HOUR_MS - 1),
    noise:
      drawNoise(createRandom(world.seed, "day", name, date), DAY_SIGMA) *
      drawNoise(createRandom(world.seed, "hour", name, hourStartMs), HOUR_SIGMA),
  };
}

function toRoom(
  target: Target,
  load: number,
  noise: number,
  episodes: readonly Episode[],
  timeMs: number,
): Room {
  const usual = (target.quietShare + (target.busyShare - target.quietShare) * load) * noise;
  let capacityShare = Math.min(MOST_OWN_SHARE, usual);
  let slowness = target.busyShare > target.quietShare ? 1 + SLOWER_WHEN_FULL * load : 1;
  for (const episode of episodes) {
    const share = shareInEpisode(episode, target, timeMs);
    if (share > capacityShare) {
      capacityShare = share;
      slowness += SLOWER_IN_EPISODE * share;
    }
  }
  return { capacityShare, slowness };
}
