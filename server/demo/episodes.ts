import { requestsPerHour } from "./demand.ts";
import { DAY_MS, HOUR_MS } from "./local-hour.ts";
import { createRandom, drawBetween, drawUnit } from "./random.ts";
import { TARGETS, type Target, type TargetName } from "./targets.ts";
import type { World } from "./world.ts";

/** A stretch of 20 to 90 minutes in which one target has far less room than its clock would say. */
export interface Episode {
  readonly target: TargetName;
  readonly fromMs: number;
  readonly toMs: number;
  /** Share of capacity errors, 0.3–0.8. */
  readonly share: number;
  /** Whether the provider's other models suffer with it, half as much. */
  readonly isProviderWide: boolean;
}

const WEEK_MS = 7 * DAY_MS;
/** The weeks are counted from here, so that week 0 begins with the youngest episode before the anchor. */
const FIRST_BEFORE_ANCHOR_MS = 36 * HOUR_MS;
/** Whom it hits, week after week; the first name is week 0. */
const TURNS: readonly TargetName[] = ["opus", "gpt", "sonnet", "deepseek", "gptMini", "geminiPro", "qwen"];

/**
 * The episodes that touch [fromMs, toMs), in time order: one per week, before the anchor and after it, so that
 * eight weeks hold eight or nine. One of them is 24 to 36 hours older than the anchor.
 */
export function listEpisodes(world: World, fromMs: number, toMs: number): Episode[] {
  const start = world.anchorMs - FIRST_BEFORE_ANCHOR_MS;
  const first = Math.floor((fromMs - start) / WEEK_MS);
  const last = Math.floor((toMs - 1 - start) / WEEK_MS);
  const found: Episode[] = [];
  for (let week = first; week <= last; week++) {
    const episode = getEpisode(world, week, start + week * WEEK_MS);
    if (episode.fromMs < toMs && episode.toMs > fromMs) found.push(episode);
  }
  return found;
}

/** The share of capacity errors that the episode causes at this target, or 0. */
export function shareInEpisode(episode: Episode, target: Target, timeMs: number): number {
  if (timeMs < episode.fromMs || timeMs >= episode.toMs) return 0;
  const hit = TARGETS[episode.target];
  if (hit === target) return episode.share;
  return episode.isProviderWide && hit.provider === target.provider ? episode.share / 2 : 0;
}

function getEpisode(world: World, week: number, weekStartMs: number): Episode {
  const known = world.episodes.get(week);
  if (known !== undefined) return known;
  const episode = placeEpisode(world, week, weekStartMs);
  world.episodes.set(week, episode);
  return episode;
}

/** An episode that nobody felt shows nothing: of a few times drawn, the one with most own traffic is taken. */
function placeEpisode(world: World, week: number, weekStartMs: number): Episode {
  const random = createRandom(world.seed, "episode", week);
  const lengthMs = Math.round(drawBetween(random, 20, 90)) * 60_000;
  const target = TURNS[((week % TURNS.length) + TURNS.length) % TURNS.length] ?? "opus";
  const [spanMs, draws] = week === 0 ? [12 * HOUR_MS - lengthMs, 12] : [WEEK_MS - lengthMs, 5];
  let fromMs = weekStartMs;
  let most = -1;
  for (let draw = 0; draw < draws; draw++) {
    const timeMs = weekStartMs + Math.floor(drawUnit(random) * spanMs);
    const demand = demandFor(world, target, timeMs + lengthMs / 2);
    if (demand > most) [fromMs, most] = [timeMs, demand];
  }
  const share = drawBetween(random, 0.3, 0.8);
  return { target, fromMs, toMs: fromMs + lengthMs, share, isProviderWide: drawUnit(random) < 0.4 };
}

function demandFor(world: World, target: TargetName, timeMs: number): number {
  let demand = 0;
  for (const { flow } of world.flows) {
    if (flow.links[0] === target) demand += requestsPerHour(world, flow, timeMs);
  }
  return demand;
}
