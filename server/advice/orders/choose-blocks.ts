import { HOURS, WEEK_HOURS } from "../../profile/day-hours.ts";
import { ALL_DAYS, type AvoidanceWindow, hoursOf } from "../choose-window.ts";
import { foresee, type Link, type Outlook, type Policy } from "./outlook.ts";

/** An order that holds at some hours of the week. */
export interface Block extends AvoidanceWindow {
  readonly order: readonly number[];
}

export interface ChainView {
  readonly links: readonly Link[];
  /** Requests by hour of week, in whatever unit. */
  readonly traffic: readonly number[];
  /** Places that may move; others lack calls and stay where they are. */
  readonly movable: readonly boolean[];
  readonly policy: Policy;
}

const WEEKDAYS = [0, 1, 2, 3, 4];
const WEEKEND = [5, 6];
const LEAST_HOURS = 3;
const MOST_BLOCKS = 3;
/** With more targets than these, only orders that move one of them are looked at. */
const ALL_ORDERS_OF = 5;
/** An hour in which less is gained stays as it is: 0.003 are three first attempts of a hundred that go better. */
const LEAST_GAIN_OF_HOUR = 0.003;
/** What a block must add to the mean request of the week, and of what the best block adds: else it is not worth being there. */
const LEAST_GAIN = 0.0005;
const LEAST_RATIO = 0.2;

/**
 * The few stretches of the week in which another order is worth more, the best first.
 *
 * Of all stretches of hours on all days, weekdays or weekends and of all orders the one that gains most is taken, then
 * the one that gains most of what is left. Each costs those who read the plan something, so each must gain enough.
 */
export function chooseBlocks(view: ChainView): Block[] {
  const { links, traffic } = view;
  const own = links.map((_, place) => place);
  const total = traffic.reduce((sum, n) => sum + n, 0);
  if (total === 0) return [];
  const weights = traffic.map((n) => n / total);
  const candidates = listGains(view, own, weights);
  const blocks: Block[] = [];
  let first = 0;
  while (blocks.length < MOST_BLOCKS) {
    const best = findBestBlock(candidates);
    if (best === null || best.gain < Math.max(LEAST_GAIN, LEAST_RATIO * first)) break;
    if (blocks.length === 0) first = best.gain;
    blocks.push(best.block);
    for (const at of hoursOf(best.block)) for (const { gains } of candidates) gains[at] = 0;
  }
  return blocks;
}

interface Candidate {
  readonly order: readonly number[];
  /** By hour of week: what it adds to the mean request, beyond what is worth nothing. */
  readonly gains: number[];
}

/** Orders that are best in some hour, with what they gain in each. */
function listGains(view: ChainView, own: readonly number[], weights: readonly number[]): Candidate[] {
  const { links, movable, policy } = view;
  const outlookAt = (order: readonly number[], at: number) =>
    foresee(links, order, (place) => links[place]?.fails[at] ?? 0, policy);
  const asIs = own.length === 0 ? [] : weights.map((_, at) => outlookAt(own, at));
  const all = listOrders(own, movable).map((order): Candidate => {
    const gains = weights.map((weight, at) => {
      const [before, after] = [asIs[at] as Outlook, outlookAt(order, at)];
      // Quicker answers alone are no reason to have more of them fail: such an hour counts as a loss.
      const isWorse = after.firstTry < before.firstTry && after.success <= before.success;
      const gain = isWorse ? after.firstTry - before.firstTry : after.value - before.value;
      return weight * (gain - LEAST_GAIN_OF_HOUR);
    });
    return { order, gains };
  });
  const best = new Set<Candidate>();
  for (let at = 0; at < WEEK_HOURS; at++) {
    let top: Candidate | null = null;
    for (const one of all) if ((one.gains[at] ?? 0) > (top?.gains[at] ?? 0)) top = one;
    if (top !== null) best.add(top);
  }
  return [...best];
}

function findBestBlock(candidates: readonly Candidate[]): { block: Block; gain: number } | null {
  let best: { block: Block; gain: number } | null = null;
  for (const { order, gains } of candidates) {
    for (const days of [ALL_DAYS, WEEKDAYS, WEEKEND]) {
      const gainAt = (hour: number) =>
        days.reduce((sum, day) => sum + (gains[(day * HOURS + hour) % WEEK_HOURS] ?? 0), 0);
      const twoDays = Array.from({ length: 2 * HOURS }, (_, hour) => gainAt(hour));
      for (let from = 0; from < HOURS; from++) {
        let gain = 0;
        for (let length = 1; length <= HOURS; length++) {
          gain += twoDays[from + length - 1] ?? 0;
          // A whole day opens at midnight: weekdays would run into Saturday.
          if (length < LEAST_HOURS || (length === HOURS && from !== 0)) continue;
          if (gain > (best?.gain ?? 0) + 1e-12)
            best = { block: { days, from, lengthHours: length, order }, gain };
        }
      }
    }
  }
  return best;
}

/** Orders other than one's own that leave in place what may not move. */
export function listOrders(own: readonly number[], movable: readonly boolean[]): number[][] {
  const free = own.filter((place) => movable[place]);
  const ways = free.length <= ALL_ORDERS_OF ? permute(free) : moveOne(free);
  return ways
    .map((way) => {
      let next = 0;
      return own.map((place) => (movable[place] ? (way[next++] ?? place) : place));
    })
    .filter((order) => order.some((place, i) => place !== own[i]));
}

function permute(places: readonly number[]): number[][] {
  if (places.length <= 1) return [[...places]];
  return places.flatMap((place, i) =>
    permute(places.filter((_, j) => j !== i)).map((rest) => [place, ...rest]),
  );
}

function moveOne(places: readonly number[]): number[][] {
  return places.flatMap((place, i) => {
    const rest = places.filter((_, j) => j !== i);
    return places.map((_, to) => [...rest.slice(0, to), place, ...rest.slice(to)]);
  });
}
