import type { Sql } from "../../db/connect.ts";
import type { PlanChain, PlanDocument, PlanTarget, PublishedPlan } from "../contract/plan.ts";
import type { Replay, ReplayedChain, ReplayedTarget } from "../contract/replay.ts";
import { DAY_MS, HOUR_MS } from "../rollup/levels.ts";
import { type ChainEstimate, estimateChain, tierOf } from "./estimate-chain.ts";
import { type TargetRecord, toTargetRecord } from "./failure-shares.ts";
import {
  listChainQuarters,
  listTargetHours,
  listTargetQuarters,
  type RequestQuarter,
  type TargetHour,
  type TargetKey,
  type TimeRange,
} from "./queries.ts";

const REPLAY_DAYS = 7;

export interface ReplayQuestion {
  readonly projectId: number;
  readonly candidate: PlanDocument;
  /** In force now; version 0: nothing. */
  readonly published: PublishedPlan;
  /** This one alone; `undefined`: all of the candidate's. */
  readonly chain: string | undefined;
  readonly nowMs: number;
}

/** What the candidate would have made of the last seven days, up to the last full hour, beside the published plan. */
export async function replayPlan(sql: Sql, question: ReplayQuestion): Promise<Replay> {
  const { candidate, published, chain: only, nowMs } = question;
  const toMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const range = { fromMs: toMs - REPLAY_DAYS * DAY_MS, toMs };
  const names = Object.keys(candidate.chains).filter((name) => only === undefined || name === only);
  const chains: ReplayedChain[] = [];
  // One after the other: the pool is for everybody.
  for (const name of names) chains.push(await replayChain(sql, name, question, range));
  return {
    range: { from: new Date(range.fromMs).toISOString(), to: new Date(toMs).toISOString() },
    against: published.version,
    chains,
    assumes: ["independentTargets", "sameFailureShares", "oneAttemptPerTarget", "roomForAll", "noHealth"],
  };
}

async function replayChain(
  sql: Sql,
  name: string,
  { projectId, candidate, published }: ReplayQuestion,
  range: TimeRange,
): Promise<ReplayedChain> {
  const then = candidate.chains[name] ?? {};
  const now = Object.hasOwn(published.chains, name) ? (published.chains[name] ?? {}) : {};
  // A plan that names no targets only times those that are known from the other.
  const targetsThen = then.targets ?? now.targets ?? [];
  const targetsNow = now.targets ?? [];
  const keys = listKeys([...targetsThen, ...targetsNow]);
  const { arrivals, traffic } = await findTraffic(sql, projectId, name, keys, range);
  const seen = groupByKey(keys, await listTargetHours(sql, projectId, keys, range));
  const estimate = (chain: PlanChain, targets: readonly PlanTarget[], timeZone: string) => {
    const records = recordsOf(targets, seen);
    const played = estimateChain(
      { chain: { ...chain, targets: [...targets] }, timeZone },
      arrivals,
      (id, startMs) => records.get(id)?.failureShareAt(startMs) ?? null,
      tierOf(targetsNow[0] ?? targetsThen[0] ?? { id: "" }),
    );
    return { played, records };
  };
  const current = estimate(now, targetsNow, published.timeZone);
  const { played, records } = estimate(then, targetsThen, candidate.timeZone);
  return {
    chain: name,
    requests: arrivals.reduce((sum, one) => sum + one.requests, 0),
    traffic,
    current: toFigures(current.played, current.records),
    candidate: toFigures(played, records),
    targets: targetsThen.map((target) =>
      describeTarget(target, records.get(target.id) ?? null, played?.targets.get(target.id)),
    ),
  };
}

/** The chain's own requests; where no call names the chain, all that ended at its targets. */
async function findTraffic(
  sql: Sql,
  projectId: number,
  name: string,
  keys: readonly TargetKey[],
  range: TimeRange,
): Promise<{ arrivals: RequestQuarter[]; traffic: ReplayedChain["traffic"] }> {
  const own = await listChainQuarters(sql, projectId, name, range);
  if (own.length > 0) return { arrivals: own, traffic: "chain" };
  const others = await listTargetQuarters(sql, projectId, keys, range);
  return { arrivals: others, traffic: others.length > 0 ? "targets" : "none" };
}

const keyOf = ({ provider, model, endpoint }: PlanTarget): TargetKey => ({
  provider,
  model,
  endpoint: endpoint ?? null,
});
const nameOf = ({ provider, model, endpoint }: TargetKey) => JSON.stringify([provider, model, endpoint]);

function listKeys(targets: readonly PlanTarget[]): TargetKey[] {
  return [...new Map(targets.map((target) => [nameOf(keyOf(target)), keyOf(target)])).values()];
}

function groupByKey(
  keys: readonly TargetKey[],
  hours: readonly TargetHour[],
): ReadonlyMap<string, TargetRecord> {
  const byPlace = keys.map((): TargetHour[] => []);
  for (const hour of hours) byPlace[hour.place]?.push(hour);
  return new Map(
    keys.flatMap((key, place) => {
      const record = toTargetRecord(byPlace[place] ?? []);
      return record === null ? [] : [[nameOf(key), record]];
    }),
  );
}

function recordsOf(
  targets: readonly PlanTarget[],
  seen: ReadonlyMap<string, TargetRecord>,
): ReadonlyMap<string, TargetRecord> {
  return new Map(
    targets.flatMap((target) => {
      const record = seen.get(nameOf(keyOf(target)));
      return record === undefined ? [] : [[target.id, record]];
    }),
  );
}

function toFigures(
  estimate: ChainEstimate | null,
  records: ReadonlyMap<string, TargetRecord>,
): ReplayedChain["current"] {
  if (estimate === null) return null;
  const { success, firstTierShare, attemptsPerRequest, targets } = estimate;
  let full = 0;
  for (const [id, { asked, served }] of targets) {
    const { failures, capacity } = records.get(id) ?? { failures: 0, capacity: 0 };
    full += failures === 0 ? 0 : (asked - served) * (capacity / failures);
  }
  return {
    success: within(success),
    capacityShare: within(full / attemptsPerRequest),
    firstTierShare: within(firstTierShare),
    attemptsPerRequest,
  };
}

function describeTarget(
  { id, provider, model, endpoint }: PlanTarget,
  record: TargetRecord | null,
  share: { readonly asked: number; readonly served: number } | undefined,
): ReplayedTarget {
  return {
    target: id,
    provider,
    model,
    endpoint: endpoint ?? null,
    attempts: record?.attempts ?? 0,
    failureShare: record === null ? null : record.failures / record.attempts,
    capacityShare: record === null ? null : record.capacity / record.attempts,
    asked: share === undefined ? null : within(share.asked),
    served: share === undefined ? null : within(share.served),
  };
}

/** Sums of shares may pass 1 by what floating point adds. */
const within = (share: number) => Math.min(1, Math.max(0, share));
