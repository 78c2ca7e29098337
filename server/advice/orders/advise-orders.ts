import { type DayHour, HOURS, mondayOf, WEEK_HOURS } from "../../profile/day-hours.ts";
import { spreadOf } from "../../profile/predict-share.ts";
import { sum } from "../../profile/sum.ts";
import { daysMissing, type Verdict } from "../advise-target.ts";
import { backtestWindows, countWeek } from "../backtest.ts";
import { hoursOf } from "../choose-window.ts";
import type { TargetHistory } from "../target-history.ts";
import { type Block, type ChainView, chooseBlocks } from "./choose-blocks.ts";
import { foresee, type Link, type Outlook, type Policy } from "./outlook.ts";

/** A target of the chain: its history, and what does not depend on the hour. */
export interface ChainLink extends Omit<Link, "fails"> {
  readonly history: TargetHistory;
  /** Share of attempts that fail otherwise than for want of room. */
  readonly otherFails: number;
}

export interface BlockFigures extends Block {
  readonly own: Outlook;
  readonly advised: Outlook;
  /** How far the gains may lie beside what is expected, one standard deviation. */
  readonly deviation: { readonly firstTry: number; readonly success: number };
  readonly requestsPerWeek: number;
}

export interface OrderWeek {
  readonly monday: number;
  readonly own: Outlook;
  readonly advised: Outlook;
}

export interface OrderAdvice {
  readonly verdict: Verdict;
  readonly moreDays: readonly number[];
  readonly blocks: readonly BlockFigures[];
  readonly backtest: readonly OrderWeek[];
}

const MOST_WEEKS = 8;
const LEAST_DAYS_BEFORE = 14;
const WISH = { lengthHours: 3, allowed: () => true };

/**
 * Orders for blocks of the week that are worth more than the owner's own, by what was known before `endDay`.
 *
 * @param requests of the chain by hour of week, a week's worth
 * @see docs/advice.md#orders
 */
export function adviseOrders(
  chain: readonly ChainLink[],
  endDay: number,
  requests: readonly number[],
  policy: Policy,
): OrderAdvice {
  const moreDays = chain.map(({ history }) => daysMissing(history, endDay));
  const nothing = { moreDays, blocks: [], backtest: [] };
  const movable = moreDays.map((days) => days === 0);
  if (movable.filter(Boolean).length < 2) return { verdict: "tooLittleData", ...nothing };
  const view = viewOn(chain, endDay, requests, movable, policy);
  const blocks = chooseBlocks(view);
  if (blocks.length === 0) return { verdict: "noGain", ...nothing };
  const repeats = chain.map(({ history }) => history.repeatabilityOn(endDay).repeats);
  // An order for all hours needs no pattern; one for some does, of a target that it moves.
  const isTold = ({ order, lengthHours, days }: Block) =>
    (lengthHours === HOURS && days.length === 7) ||
    order.some((place, i) => place !== i && repeats[place] === true);
  const told = blocks.filter(isTold);
  const backtest = backtestOrders(chain, endDay, movable, policy);
  const gained = backtest.reduce((total, { own, advised }) => total + advised.value - own.value, 0);
  if (told.length === 0 || (backtest.length >= 2 && gained <= 0)) return { verdict: "noPattern", ...nothing };
  const spreads = chain.map(({ history }) => spreadOf(backtestWindows(history, endDay, WISH)));
  return {
    verdict: "advise",
    moreDays,
    blocks: told.map((block) => describeBlock(block, view, spreads)),
    backtest,
  };
}

function viewOn(
  chain: readonly ChainLink[],
  endDay: number,
  traffic: readonly number[],
  movable: readonly boolean[],
  policy: Policy,
): ChainView {
  const links = chain.map((link): Link => {
    const { rates } = link.history.profileOn(endDay);
    return { ...link, fails: rates.map((rate) => 1 - (1 - rate) * (1 - link.otherFails)) };
  });
  return { links, traffic, movable, policy };
}

/** What is expected in a block's hours, each weighed by its requests; and how sure that is, by each target's past. */
function describeBlock(block: Block, view: ChainView, spreads: readonly number[]): BlockFigures {
  const { links, traffic, policy } = view;
  const own = links.map((_, place) => place);
  const hours = hoursOf(block);
  const requestsPerWeek = hours.reduce((total, at) => total + (traffic[at] ?? 0), 0);
  const outlook = (order: readonly number[], shifted: number | null = null): Outlook =>
    meanOutlook(hours, traffic, (at) =>
      foresee(
        links,
        order,
        (place) => {
          const fails = links[place]?.fails[at] ?? 0;
          return place === shifted ? Math.min(1, fails + STEP) : fails;
        },
        policy,
      ),
    );
  const [asIs, advised] = [outlook(own), outlook(block.order)];
  const variance = { firstTry: 0, success: 0 };
  for (const place of own) {
    const fails = hours.reduce((total, at) => total + (links[place]?.fails[at] ?? 0), 0) / hours.length;
    const deviation = Math.sqrt((spreads[place] ?? 0) * fails * (1 - fails));
    const [ownIf, advisedIf] = [outlook(own, place), outlook(block.order, place)];
    for (const figure of ["firstTry", "success"] as const) {
      const slope = (advisedIf[figure] - ownIf[figure] - (advised[figure] - asIs[figure])) / STEP;
      variance[figure] += (slope * deviation) ** 2;
    }
  }
  const deviation = { firstTry: Math.sqrt(variance.firstTry), success: Math.sqrt(variance.success) };
  return { ...block, own: asIs, advised, deviation, requestsPerWeek };
}

/** By so much a share is moved to see what depends on it. */
const STEP = 0.001;

function meanOutlook(
  hours: readonly number[],
  traffic: readonly number[],
  outlookAt: (hour: number) => Outlook,
): Outlook {
  const total = hours.reduce((all, at) => all + (traffic[at] ?? 0), 0);
  const mean = { success: 0, firstTry: 0, topTier: 0, value: 0 };
  for (const at of hours) {
    const weight = total === 0 ? 1 / hours.length : (traffic[at] ?? 0) / total;
    const outlook = outlookAt(at);
    for (const figure of ["success", "firstTry", "topTier", "value"] as const) {
      mean[figure] += weight * outlook[figure];
    }
  }
  // Sums of parts may pass 1 by a hair.
  for (const figure of ["success", "firstTry", "topTier"] as const) mean[figure] = Math.min(1, mean[figure]);
  return mean;
}

/** The same rule run on every earlier whole week, and held against what each target did in it; newest first. */
function backtestOrders(
  chain: readonly ChainLink[],
  endDay: number,
  movable: readonly boolean[],
  policy: Policy,
): OrderWeek[] {
  const firstDay = Math.max(
    ...chain.filter((_, i) => movable[i]).map(({ history }) => history.hours[0]?.day ?? endDay),
  );
  const weeks: OrderWeek[] = [];
  for (let monday = mondayOf(endDay) - 7; monday - firstDay >= LEAST_DAYS_BEFORE; monday -= 7) {
    if (endDay - monday > MOST_WEEKS * 7) break;
    const week = scoreWeek(chain, monday, movable, policy);
    if (week !== null) weeks.push(week);
  }
  return weeks;
}

function scoreWeek(
  chain: readonly ChainLink[],
  monday: number,
  movable: readonly boolean[],
  policy: Policy,
): OrderWeek | null {
  const seen = chain.map(({ history }) => countWeek(history, monday));
  const before = chain.map(({ history }) => history.hours.filter(({ day }) => day < monday));
  const view = viewOn(chain, monday, countHours(before.flat()), movable, policy);
  const blocks = chooseBlocks(view);
  const own = chain.map((_, place) => place);
  const orderAt = new Array<readonly number[]>(WEEK_HOURS).fill(own);
  for (const block of [...blocks].reverse()) for (const at of hoursOf(block)) orderAt[at] = block.order;
  // An hour in which a target was not called cannot be scored.
  const hours =
    own.length === 0 ? [] : [...orderAt.keys()].filter((at) => seen.every(({ n }) => (n[at] ?? 0) > 0));
  if (hours.length < LEAST_HOURS_SEEN) return null;
  const traffic = orderAt.map((_, at) => sum(seen.map(({ n }) => n[at] ?? 0)));
  const failsAt = (at: number) => (place: number) => {
    const counts = seen[place];
    const share = (counts?.k[at] ?? 0) / (counts?.n[at] ?? 1);
    return 1 - (1 - share) * (1 - (chain[place]?.otherFails ?? 0));
  };
  const score = (orderOf: (at: number) => readonly number[]) =>
    meanOutlook(hours, traffic, (at) => foresee(view.links, orderOf(at), failsAt(at), policy));
  return { monday, own: score(() => own), advised: score((at) => orderAt[at] ?? own) };
}

/** Hours of a week in which all targets were called; with fewer it proves nothing. */
const LEAST_HOURS_SEEN = 24;

function countHours(hours: readonly DayHour[]): number[] {
  const counts = new Array<number>(WEEK_HOURS).fill(0);
  for (const { day, hour, n } of hours) {
    const at = (day - mondayOf(day)) * HOURS + hour;
    counts[at] = (counts[at] ?? 0) + n;
  }
  return counts;
}
