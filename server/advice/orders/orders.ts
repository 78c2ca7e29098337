import type { Sql } from "../../../db/connect.ts";
import { groupBy } from "../../capacity/group-by.ts";
import { listTargetLatencies } from "../../capacity/queries.ts";
import { planReading } from "../../capacity/segments.ts";
import type { ChainOrders, Orders } from "../../contract/orders.ts";
import { HOURS, WEEK_HOURS } from "../../profile/day-hours.ts";
import { sum } from "../../profile/sum.ts";
import { DAY_MS, floorTo, QUARTER_MS } from "../../rollup/levels.ts";
import { readHistories } from "../advice.ts";
import { formatClock, formatDays, formatWeek } from "../format.ts";
import { mapGently } from "../map-gently.ts";
import {
  createHistories,
  isSameTarget,
  type TargetHistory,
  type TargetName,
  targetKey,
} from "../target-history.ts";
import { adviseOrders, type BlockFigures, type ChainLink } from "./advise-orders.ts";
import { distributionOf, type Policy } from "./outlook.ts";
import { type OrderedChain, readPlanChains } from "./plan-chains.ts";
import { findPlanAt, listLinkTimes, listReportedChains, listRequestHours } from "./queries.ts";
import type { TieredTarget } from "./read-targets.ts";

export interface OrdersQuestion {
  readonly projectId: number;
  readonly chain: string | undefined;
  readonly targets: readonly TieredTarget[] | null;
  readonly zone: string;
  readonly asOfMs: number;
  /** The plan that was in force then is looked at. */
  readonly planAtMs: number;
  readonly nowMs: number;
  /** `undefined`: the plan's, else the usual number. */
  readonly attempts: number | undefined;
  readonly deadlineMs: number;
}

/** What routers try when nobody says it. */
const USUAL_ATTEMPTS = 5;

const LOOKBACK_MS = 28 * DAY_MS;
const WEEKS = 4;
/** Between tiers, as routers have it; targets of one tier are equally good. */
const TIER_STEP = 0.15;
/** 95 % point of the normal distribution: nine of ten weeks lie between. */
const Z_90 = 1.645;

/** In which order to ask a chain's targets, and when another than now, by nothing but attempts before `asOf`. */
export async function getOrders(sql: Sql, question: OrdersQuestion): Promise<Orders> {
  const { zone, asOfMs, attempts, deadlineMs, targets } = question;
  const chains: readonly OrderedChain[] =
    targets === null ? await listChains(sql, question) : [{ chain: "", targets, attempts: null }];
  const known = await readTargetsOf(
    sql,
    question,
    chains.flatMap((one) => one.targets),
  );
  const answers = await mapGently(chains, (one) =>
    describeChain(one, known, {
      attempts: attempts ?? one.attempts ?? USUAL_ATTEMPTS,
      deadlineMs,
    }),
  );
  return {
    asOf: new Date(asOfMs).toISOString(),
    zone,
    deadlineMs,
    chains: answers,
  };
}

/** Those of the plan in force, then those that routers report beside it. */
async function listChains(
  sql: Sql,
  { projectId, chain, asOfMs, planAtMs }: OrdersQuestion,
): Promise<readonly OrderedChain[]> {
  const [plan, reported] = await Promise.all([
    findPlanAt(sql, projectId, planAtMs),
    listReportedChains(sql, projectId, chain, asOfMs),
  ]);
  const planned = plan === null ? [] : readPlanChains(plan);
  // Routers do not report tiers, so each target is one of its own.
  const others = [...groupBy(reported, (link) => link.chain)]
    .filter(([name]) => !planned.some((one) => one.chain === name))
    .map(([name, links]): OrderedChain => {
      const targets = links.map((link, tier) => ({ ...link, id: null, tier }));
      return { chain: name, targets, attempts: null };
    });
  return [...planned.filter((one) => chain === undefined || one.chain === chain), ...others].filter(
    (one) => one.targets.length >= 2,
  );
}

function describeChain(
  { chain, targets }: OrderedChain,
  { knownOf, endDay }: KnownTargets,
  policy: Policy,
): ChainOrders {
  const links = targets.map((target): ChainLink => {
    return {
      ...knownOf(target),
      quality: Math.max(0.1, 1 - TIER_STEP * target.tier),
      isTop: target.tier === 0,
    };
  });
  const requests = Array.from({ length: WEEK_HOURS }, (_, at) =>
    sum(targets.map((target) => (knownOf(target).requests[at] ?? 0) / WEEKS)),
  );
  const { verdict, moreDays, blocks, backtest } = adviseOrders(links, endDay, requests, policy);
  return {
    chain,
    verdict,
    attempts: policy.attempts,
    targets: targets.map(({ id, provider, model, endpoint, tier }, i) => {
      return { id, provider, model, endpoint, tier, moreDays: moreDays[i] ?? 0 };
    }),
    blocks: blocks.map(describeBlock),
    backtest: backtest.map(({ monday, own, advised }) => ({
      week: formatWeek(monday),
      firstTry: { own: own.firstTry, advised: advised.firstTry },
      success: { own: own.success, advised: advised.success },
    })),
  };
}

/** What is known of a target, whatever chain it is in. */
interface KnownTarget extends Omit<ChainLink, "quality" | "isTop"> {
  /** By hour of week, of the whole time that is looked at. */
  readonly requests: readonly number[];
}

interface KnownTargets {
  readonly knownOf: (target: TargetName) => KnownTarget;
  readonly endDay: number;
}

/** Reads all targets of all chains once: chains have targets in common. */
async function readTargetsOf(
  sql: Sql,
  { projectId, zone, asOfMs, nowMs }: OrdersQuestion,
  targets: readonly TargetName[],
): Promise<KnownTargets> {
  const models = [...new Set(targets.map(({ model }) => model))];
  if (models.length === 0) return { knownOf: unknown, endDay: 0 };
  // Whole quarter-hours before asOf alone: what is open now must not leak into then.
  const toMs = floorTo(asOfMs, QUARTER_MS);
  const range = { fromMs: toMs - LOOKBACK_MS, toMs };
  const { segments } = planReading(range, Math.max(nowMs, toMs));
  const [histories, times, latencies, hours] = await Promise.all([
    Promise.all(models.map((model) => readHistories(sql, { projectId, filter: { model }, zone, asOfMs }))),
    listLinkTimes(sql, projectId, models, segments),
    listLatencies(sql, projectId, models, segments),
    listRequestHours(sql, projectId, models, zone, range),
  ]);
  const all = new Map(
    histories
      .flatMap((one) => one.histories)
      .map((history): [string, KnownTarget] => {
        const isOwn = isSameTarget(history);
        const seen = times.find(isOwn);
        const histogram = latencies.find((row) => isOwn(row) && row.measure === 0);
        const requests = new Array<number>(WEEK_HOURS).fill(0);
        for (const row of hours.filter(isOwn)) requests[row.hourOfWeek] = row.n;
        const known = {
          history: rememberProfiles(history),
          otherFails: seen === undefined || seen.roomy === 0 ? 0 : seen.failed / seen.roomy,
          answeredWithin: distributionOf(histogram ?? { bins: [], counts: [] }),
          answerMs: seen?.answerMs ?? 0,
          failureMs: seen?.failureMs ?? 0,
          requests,
        };
        return [targetKey(history), known];
      }),
  );
  return {
    knownOf: (target) => all.get(targetKey(target)) ?? unknown(target),
    endDay: histories[0]?.endDay ?? 0,
  };
}

/** Chains ask the same of the same targets. */
function rememberProfiles(history: TargetHistory): TargetHistory {
  const profiles = new Map<number, ReturnType<TargetHistory["profileOn"]>>();
  return {
    ...history,
    profileOn(endDay) {
      const profile = profiles.get(endDay) ?? history.profileOn(endDay);
      profiles.set(endDay, profile);
      return profile;
    },
  };
}

/** A target that was never called has a history without hours; it may not move. */
function unknown({ provider, model, endpoint }: TargetName): KnownTarget {
  const [history] = createHistories([{ provider, model, endpoint, hours: [] }]);
  return {
    history: history as TargetHistory,
    otherFails: 0,
    answeredWithin: () => 1,
    answerMs: 0,
    failureMs: 0,
    requests: [],
  };
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
