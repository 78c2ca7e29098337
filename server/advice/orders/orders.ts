import type { Sql } from "../../../db/connect.ts";
import { groupBy } from "../../capacity/group-by.ts";
import { listTargetLatencies } from "../../capacity/queries.ts";
import { planReading } from "../../capacity/segments.ts";
import type { ChainOrders, Orders } from "../../contract/orders.ts";
import { HOURS } from "../../profile/day-hours.ts";
import { DAY_MS, floorTo, QUARTER_MS } from "../../rollup/levels.ts";
import { readHistories } from "../advice.ts";
import { formatClock, formatDays, formatWeek } from "../format.ts";
import { createHistories, type TargetHistory, type TargetName } from "../target-history.ts";
import { adviseOrders, type BlockFigures, type ChainLink } from "./advise-orders.ts";
import { distributionOf, type Policy } from "./outlook.ts";
import { listLinkTimes, listReportedChains, sumRequestHours } from "./queries.ts";
import type { TieredTarget } from "./read-targets.ts";

export interface OrdersQuestion {
  readonly projectId: number;
  readonly chain: string | undefined;
  readonly targets: readonly TieredTarget[] | null;
  readonly zone: string;
  readonly asOfMs: number;
  readonly nowMs: number;
  readonly policy: Policy;
}

const LOOKBACK_MS = 28 * DAY_MS;
const WEEKS = 4;
/** Between tiers, as routers have it; targets of one tier are equally good. */
const TIER_STEP = 0.15;
/** 95 % point of the normal distribution: nine of ten weeks lie between. */
const Z_90 = 1.645;

/** In which order to ask a chain's targets, and when another than now, by nothing but attempts before `asOf`. */
export async function getOrders(sql: Sql, question: OrdersQuestion): Promise<Orders> {
  const { projectId, zone, asOfMs, policy, chain, targets } = question;
  const chains =
    targets === null ? await listChains(sql, projectId, chain, asOfMs) : [{ chain: "", targets }];
  const answers: ChainOrders[] = [];
  for (const one of chains) answers.push(await describeChain(sql, question, one.chain, one.targets));
  return {
    asOf: new Date(asOfMs).toISOString(),
    zone,
    attempts: policy.attempts,
    deadlineMs: policy.deadlineMs,
    chains: answers,
  };
}

/** Routers do not report tiers, so each target is one of its own. */
async function listChains(sql: Sql, projectId: number, chain: string | undefined, asOfMs: number) {
  const reported = await listReportedChains(sql, projectId, chain, asOfMs);
  return [...groupBy(reported, (link) => link.chain)]
    .map(([name, links]) => ({ chain: name, targets: links.map((link, tier) => ({ ...link, tier })) }))
    .filter((one) => one.targets.length >= 2);
}

async function describeChain(
  sql: Sql,
  question: OrdersQuestion,
  chain: string,
  targets: readonly TieredTarget[],
): Promise<ChainOrders> {
  const { links, endDay, requests } = await readChain(sql, question, targets);
  const { verdict, moreDays, blocks, backtest } = adviseOrders(links, endDay, requests, question.policy);
  return {
    chain,
    verdict,
    targets: targets.map(({ provider, model, endpoint, tier }, i) => {
      return { provider, model, endpoint, tier, moreDays: moreDays[i] ?? 0 };
    }),
    blocks: blocks.map(describeBlock),
    backtest: backtest.map(({ monday, own, advised }) => ({
      week: formatWeek(monday),
      firstTry: { own: own.firstTry, advised: advised.firstTry },
      success: { own: own.success, advised: advised.success },
    })),
  };
}

async function readChain(sql: Sql, question: OrdersQuestion, targets: readonly TieredTarget[]) {
  const { projectId, zone, asOfMs, nowMs } = question;
  const models = [...new Set(targets.map(({ model }) => model))];
  // Whole quarter-hours before asOf alone: what is open now must not leak into then.
  const toMs = floorTo(asOfMs, QUARTER_MS);
  const range = { fromMs: toMs - LOOKBACK_MS, toMs };
  const { segments } = planReading(range, Math.max(nowMs, toMs));
  const [histories, times, latencies, requests] = await Promise.all([
    Promise.all(models.map((model) => readHistories(sql, { projectId, filter: { model }, zone, asOfMs }))),
    listLinkTimes(sql, projectId, models, segments),
    listLatencies(sql, projectId, models, segments),
    sumRequestHours(sql, projectId, targets, zone, range),
  ]);
  const all = histories.flatMap((one) => one.histories);
  const links = targets.map((target): ChainLink => {
    const isOwn = isSameTarget(target);
    const seen = times.find(isOwn);
    const histogram = latencies.find((row) => isOwn(row) && row.measure === 0);
    return {
      history: all.find(isOwn) ?? neverCalled(target),
      otherFails: seen === undefined || seen.roomy === 0 ? 0 : seen.failed / seen.roomy,
      answeredWithin: distributionOf(histogram ?? { bins: [], counts: [] }),
      answerMs: seen?.answerMs ?? 0,
      failureMs: seen?.failureMs ?? 0,
      quality: Math.max(0.1, 1 - TIER_STEP * target.tier),
      isTop: target.tier === 0,
    };
  });
  return { links, endDay: histories[0]?.endDay ?? 0, requests: requests.map((n) => n / WEEKS) };
}

async function listLatencies(
  sql: Sql,
  projectId: number,
  models: readonly string[],
  segments: Parameters<typeof listTargetLatencies>[1]["segments"],
) {
  const rows = await Promise.all(
    models.map((model) => listTargetLatencies(sql, { projectId, filter: { model }, segments })),
  );
  return rows.flat();
}

const isSameTarget = (target: TargetName) => (other: TargetName) =>
  other.provider === target.provider && other.model === target.model && other.endpoint === target.endpoint;

/** A target that was never called has a history without hours; it may not move. */
function neverCalled({ provider, model, endpoint }: TargetName): TargetHistory {
  return createHistories([{ provider, model, endpoint, hours: [] }])[0] as TargetHistory;
}

function describeBlock(block: BlockFigures): ChainOrders["blocks"][number] {
  const { days, from, lengthHours, order, own, advised, deviation, requestsPerWeek } = block;
  const gainOf = (figure: "firstTry" | "success") => {
    const gain = advised[figure] - own[figure];
    const spread = Z_90 * deviation[figure];
    return { own: own[figure], advised: advised[figure], low: gain - spread, high: gain + spread };
  };
  return {
    days: formatDays(days),
    from: formatClock(from),
    to: formatClock((from + lengthHours) % HOURS),
    order: [...order],
    firstTry: gainOf("firstTry"),
    success: gainOf("success"),
    topTier: { own: own.topTier, advised: advised.topTier },
    requestsPerWeek: Math.round(requestsPerWeek),
  };
}
