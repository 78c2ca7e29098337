import type { Sql } from "../../db/connect.ts";
import { getAdvice } from "../advice/advice.ts";
import { getOrders } from "../advice/orders/orders.ts";
import { listTargetQuarters } from "../advice/queries.ts";
import { isSameTarget, type TargetName } from "../advice/target-history.ts";
import type { TargetAdviceAnswer } from "../contract/advice.ts";
import type { Orders } from "../contract/orders.ts";
import type { ReportDocument } from "../contract/report.ts";
import { type EpisodeRow, listEpisodes } from "../episodes/queries.ts";
import { createWall, type DayHour, toDayHours } from "../profile/day-hours.ts";
import { sum } from "../profile/sum.ts";
import { DAY_MS, MINUTE_MS } from "../rollup/levels.ts";
import { degradedOf, judgeQuota, listDegradations, listTrouble, toFigures } from "./figures.ts";
import { findHours, followWindows } from "./hours.ts";
import { type ChainCount, listChainCounts, listPublishedWithin, type PublishedPlanRow } from "./queries.ts";
import { type Week, weekBefore } from "./week.ts";

export interface ReportQuestion {
  readonly projectId: number;
  readonly zone: string;
  readonly week: Week;
}

const ADVISED = { lengthHours: 3, allowed: () => true };
const DEADLINE_MS = 60_000;
const LONGEST = 5;
const WEEK_MS = 7 * DAY_MS;

/** All that a team should know of a week, against the week before; of one that goes on, as far as it has come. */
export async function makeReport(sql: Sql, question: ReportQuestion, nowMs: number): Promise<ReportDocument> {
  const { projectId, zone, week } = question;
  const range = { fromMs: week.fromMs, toMs: Math.min(week.toMs, nowMs) };
  const last = weekBefore(zone, week);
  // A week that goes on is held against as much of the one before.
  const before = { fromMs: last.fromMs, toMs: last.fromMs + (range.toMs - range.fromMs) };
  const whole = { fromMs: last.fromMs, toMs: range.toMs };
  const [rows, rowsBefore, episodes, quarters, advice, orders, plans] = await Promise.all([
    listChainCounts(sql, projectId, range, nowMs),
    listChainCounts(sql, projectId, before, nowMs),
    listEpisodes(sql, projectId, {}, whole, 1_000),
    listTargetQuarters(sql, projectId, {}, whole),
    getAdvice(sql, { projectId, filter: {}, zone, asOfMs: week.fromMs, wish: ADVISED }),
    getOrders(sql, {
      projectId,
      zone,
      chain: undefined,
      targets: null,
      asOfMs: range.toMs,
      planAtMs: range.toMs,
      nowMs,
      attempts: undefined,
      deadlineMs: DEADLINE_MS,
    }),
    describePlans(sql, projectId, range, nowMs),
  ]);
  const wall = createWall(zone);
  const hoursOf = ({ fromMs, toMs }: Range, isOwn: (target: TargetName) => boolean = () => true) =>
    toDayHours(
      quarters
        .filter(isOwn)
        .flatMap((target) => target.quarters.filter(({ startMs }) => startMs >= fromMs && startMs < toMs)),
      wall,
    );
  const { best, worst } = findHours(hoursOf(range));
  return {
    week: week.name,
    zone,
    range: { from: new Date(week.fromMs).toISOString(), to: new Date(week.toMs).toISOString() },
    figures: toFigures(rows),
    before: rowsBefore.length === 0 ? null : toFigures(rowsBefore),
    degradations: listDegradations(rows, rowsBefore),
    episodes: describeEpisodes(episodes, range, before),
    bestHours: best,
    worstHours: worst,
    advice: advice.targets.flatMap((target) => {
      const isOwn = isSameTarget(target);
      return describeAdvice(target, hoursOf(range, isOwn), hoursOf(before, isOwn));
    }),
    plans,
    trouble: listTrouble(rows, rowsBefore),
    quota: judgeQuota(rows),
    order: judgeOrders(orders),
  };
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How far advice was followed; nothing of a target without windows or calls. */
function describeAdvice(
  { provider, model, endpoint, windows }: TargetAdviceAnswer,
  hours: readonly DayHour[],
  hoursBefore: readonly DayHour[],
): ReportDocument["advice"] {
  const { inside, outside, shareInside } = followWindows(hours, windows);
  if (windows.length === 0 || shareInside === null) return [];
  return [
    {
      provider,
      model,
      endpoint,
      windows: windows.map(({ days, from, to }) => ({ days, from, to })),
      inside,
      outside,
      shareInside,
      shareInsideBefore: followWindows(hoursBefore, windows).shareInside,
      spared: Math.max(0, inside.n * (outside.rate ?? 0) - inside.k),
    },
  ];
}

/** An episode belongs to the week in which it opened. */
function describeEpisodes(
  all: readonly EpisodeRow[],
  range: Range,
  before: Range,
): ReportDocument["episodes"] {
  const openedIn = ({ fromMs, toMs }: Range) =>
    all.filter((episode) => episode.fromMs >= fromMs && episode.fromMs < toMs);
  const minutesOf = ({ fromMs, toMs }: EpisodeRow) => (toMs - fromMs) / MINUTE_MS;
  const [now, then] = [openedIn(range), openedIn(before)];
  return {
    count: now.length,
    minutes: sum(now.map(minutesOf)),
    countBefore: then.length,
    minutesBefore: sum(then.map(minutesOf)),
    longest: [...now]
      .sort((a, b) => minutesOf(b) - minutesOf(a))
      .slice(0, LONGEST)
      .map((episode) => ({
        provider: episode.provider,
        model: episode.model,
        endpoint: episode.endpoint,
        openedAt: new Date(episode.fromMs).toISOString(),
        minutes: minutesOf(episode),
        goesOn: episode.isOpen,
        errors: episode.errors,
        peak: episode.peakShare,
      })),
  };
}

/** What each published plan brought: how often a later target answered, before and since. */
async function describePlans(
  sql: Sql,
  projectId: number,
  range: Range,
  nowMs: number,
): Promise<ReportDocument["plans"]> {
  const published = await listPublishedWithin(sql, projectId, range);
  return Promise.all(
    published.map(async (plan: PublishedPlanRow) => {
      const atMs = plan.publishedAt.getTime();
      const [before, since] = await Promise.all([
        listChainCounts(sql, projectId, { fromMs: atMs - WEEK_MS, toMs: atMs }, nowMs),
        listChainCounts(sql, projectId, { fromMs: atMs, toMs: range.toMs }, nowMs),
      ]);
      const ofPlan = (rows: readonly ChainCount[]) =>
        rows.filter(({ chain }) => Object.hasOwn(plan.document.chains, chain));
      return {
        version: plan.version,
        publishedAt: plan.publishedAt.toISOString(),
        by: plan.by,
        reason: plan.reason,
        degradedBefore: degradedOf(ofPlan(before)),
        degradedSince: degradedOf(ofPlan(since)),
      };
    }),
  );
}

/** Whether another order is advised at the end of the week. */
function judgeOrders({ chains }: Orders): ReportDocument["order"] {
  const reasons = chains.flatMap(({ chain, targets, blocks }) => {
    const best = blocks[0];
    if (best === undefined) return [];
    const order = best.order.map((place) => targets[place]?.model ?? "");
    return [{ chain, order, firstTry: best.firstTry.own, firstTryAdvised: best.firstTry.advised }];
  });
  if (reasons.length > 0) return { verdict: "change", reasons };
  const isThin = chains.length === 0 || chains.every(({ verdict }) => verdict === "tooLittleData");
  return { verdict: isThin ? "tooLittleData" : "fine", reasons: [] };
}
