import type { Sql } from "../../db/connect.ts";
import type { PlanChain, PlanDocument, PlanTarget, PublishedPlan } from "../contract/plan.ts";
import type { Replay, ReplayedChain, ReplayedTarget } from "../contract/replay.ts";
import { DAY_MS, QUARTER_MS } from "../rollup/levels.ts";
import { type Arrivals, type ChainEstimate, estimateChain, tierOf } from "./estimate-chain.ts";
import { type TargetRecord, toTargetRecord } from "./failure-shares.ts";
import { listRequestQuarters, listTargetHours, type RequestQuarter, type TargetHour } from "./queries.ts";

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

/** What the candidate would have made of the last seven days, beside the published plan. */
export async function replayPlan(sql: Sql, question: ReplayQuestion): Promise<Replay> {
  const { projectId, candidate, published, chain: only, nowMs } = question;
  const toMs = Math.floor(nowMs / QUARTER_MS) * QUARTER_MS;
  const range = { fromMs: toMs - REPLAY_DAYS * DAY_MS, toMs };
  const [hours, requests] = await Promise.all([
    listTargetHours(sql, projectId, range),
    listRequestQuarters(sql, projectId, range),
  ]);
  const names = Object.keys(candidate.chains).filter((name) => only === undefined || name === only);
  return {
    range: { from: new Date(range.fromMs).toISOString(), to: new Date(toMs).toISOString() },
    against: published.version,
    chains: names.map((name) => replayChain(name, { candidate, published, hours, requests })),
    assumes: ["independentTargets", "sameFailureShares", "oneAttemptPerTarget", "roomForAll", "noHealth"],
  };
}

interface Seen {
  readonly candidate: PlanDocument;
  readonly published: PublishedPlan;
  readonly hours: readonly TargetHour[];
  readonly requests: readonly RequestQuarter[];
}

function replayChain(name: string, { candidate, published, hours, requests }: Seen): ReplayedChain {
  const then = candidate.chains[name] ?? {};
  const now = Object.hasOwn(published.chains, name) ? (published.chains[name] ?? {}) : {};
  // A plan that names no targets only times those that are known from the other.
  const targetsThen = then.targets ?? now.targets ?? [];
  const targetsNow = now.targets ?? [];
  const { arrivals, traffic } = chooseTraffic(name, [...targetsThen, ...targetsNow], requests);
  const estimate = (chain: PlanChain, targets: readonly PlanTarget[], timeZone: string) => {
    const records = recordsOf(targets, hours);
    return estimateChain(
      { chain: { ...chain, targets: [...targets] }, timeZone },
      arrivals,
      (id, startMs) => records.get(id)?.failureShareAt(startMs) ?? null,
      tierOf(targetsNow[0] ?? targetsThen[0] ?? { id: "" }),
    );
  };
  const played = estimate(then, targetsThen, candidate.timeZone);
  const records = recordsOf(targetsThen, hours);
  return {
    chain: name,
    requests: arrivals.reduce((sum, one) => sum + one.requests, 0),
    traffic,
    current: toFigures(estimate(now, targetsNow, published.timeZone), recordsOf(targetsNow, hours)),
    candidate: toFigures(played, records),
    targets: targetsThen.map((target) =>
      describeTarget(target, records.get(target.id) ?? null, played?.targets.get(target.id)),
    ),
  };
}

/** The chain's own requests; where no call names the chain, all that ended at its targets. */
function chooseTraffic(
  name: string,
  targets: readonly PlanTarget[],
  requests: readonly RequestQuarter[],
): { arrivals: Arrivals[]; traffic: ReplayedChain["traffic"] } {
  const own = requests.filter(({ chain }) => chain === name);
  const chosen = own.length > 0 ? own : requests.filter((one) => targets.some((target) => isOf(target, one)));
  const byQuarter = new Map<number, number>();
  for (const one of chosen) byQuarter.set(one.startMs, (byQuarter.get(one.startMs) ?? 0) + one.requests);
  return {
    arrivals: [...byQuarter].map(([startMs, count]) => ({ startMs, requests: count })),
    traffic: own.length > 0 ? "chain" : chosen.length > 0 ? "targets" : "none",
  };
}

/** A target that names no endpoint is meant at whichever. */
function isOf(target: PlanTarget, called: { provider: string; model: string; endpoint: string }): boolean {
  return (
    target.provider === called.provider &&
    target.model === called.model &&
    (target.endpoint === undefined || target.endpoint === called.endpoint)
  );
}

function recordsOf(
  targets: readonly PlanTarget[],
  hours: readonly TargetHour[],
): ReadonlyMap<string, TargetRecord> {
  return new Map(
    targets.flatMap((target) => {
      const record = toTargetRecord(hours.filter((hour) => isOf(target, hour)));
      return record === null ? [] : [[target.id, record]];
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
