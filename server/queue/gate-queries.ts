import type { ISql, Sql } from "../../db/connect.ts";
import type { TargetName } from "../advice/target-history.ts";
import type { WaitReason } from "../contract/job.ts";
import type { LearntTarget } from "./decide-gate.ts";
import { BUCKET_MS, type DueWork } from "./drain.ts";
import type { GateSubject } from "./lane.ts";

/** What is known of a gate's targets, for an hour. */
export interface Learnt {
  readonly madeMs: number;
  readonly zone: string;
  readonly planVersion: number;
  readonly targets: readonly (TargetName & LearntTarget)[];
  readonly calmSinceMs: number | null;
}

/** A gate; one that was never judged has learnt nothing. */
export interface GateRow extends GateSubject, Omit<GateChange, "learnt" | "judgedAt"> {
  readonly id: number;
  readonly learnt: Learnt | null;
  readonly judgedAt: Date | null;
}

/** A gate that nobody has judged for so long is shut, but for jobs whose latest time comes. */
export const STALE_MS = 5 * 60_000;

/** The gate as leasing sees it. */
export function asItHolds(gate: GateRow, nowMs: number): GateRow {
  const isStale = gate.judgedAt === null || gate.judgedAt.getTime() <= nowMs - STALE_MS;
  return gate.isOpen && isStale ? { ...gate, isOpen: false, reason: "notJudged", untilAt: null } : gate;
}

const COLUMNS = `
  g.id, g.mode, g.provider, g.model, g.endpoint, g.chain, g.is_open as "isOpen", g.reason, g.since_at as "sinceAt",
  g.until_at as "untilAt", g.window_from as "windowFrom", g.window_to as "windowTo", g.window_share as "windowShare",
  g.room, g.per_minute as "perMinute", g.drain_before as "drainBefore", g.learnt, g.rates, g.judged_at as "judgedAt"`;

/** Opening of the window that is open or comes next, as it was judged last; `null`: none is known. */
export async function findWindowOpening(
  sql: ISql,
  projectId: number,
  gateId: number,
): Promise<number | null> {
  const [row] = await sql<{ at: Date | null }[]>`
    select window_from as at from job_gate where project_id = ${projectId} and id = ${gateId}`;
  return row?.at?.getTime() ?? null;
}

/** Projects with gates before which something waits. */
export async function listGatedProjects(sql: Sql): Promise<{ projectId: number; timeZone: string }[]> {
  return sql<{ projectId: number; timeZone: string }[]>`
    select p.id as "projectId", p.time_zone as "timeZone"
      from project p
     where exists (select from job_lane l
                    where l.project_id = p.id and l.gate_id <> 0
                      and exists (select from job j
                                   where j.project_id = l.project_id and j.lane_id = l.id and j.token is null))
     order by p.id`;
}

/** Gates of a project. @param held `for update`: until the transaction ends */
export async function listGates(sql: ISql, projectId: number, held = false): Promise<GateRow[]> {
  return sql<GateRow[]>`
    select ${sql.unsafe(COLUMNS)} from job_gate g
     where g.project_id = ${projectId} order by g.id ${held ? sql`for update` : sql``}`;
}

/** Jobs that wait before each gate; gates without are left out. */
export async function countWaitingByGate(sql: ISql, projectId: number): Promise<Map<number, number>> {
  const rows = await sql<{ gateId: number; count: number }[]>`
    select l.gate_id as "gateId", count(*)::int as count
      from job_lane l join job j on j.project_id = l.project_id and j.lane_id = l.id and j.token is null
     where l.project_id = ${projectId} and l.gate_id <> 0
     group by 1`;
  return new Map(rows.map(({ gateId, count }) => [gateId, count]));
}

/** When jobs of each gate are to begin, to five minutes, up to `until`; ascending. */
export async function listDueCounts(
  sql: ISql,
  projectId: number,
  until: Date,
): Promise<Map<number, DueWork[]>> {
  const rows = await sql<(DueWork & { gateId: number })[]>`
    select l.gate_id as "gateId", extract(epoch from min(j.due_at))::float8 * 1000 as "atMs", count(*)::int as count,
           avg(j.expected_ms)::float8 as "expectedMs"
      from job_lane l
      join job j on j.project_id = l.project_id and j.lane_id = l.id and j.token is null and j.due_at < ${until}
     where l.project_id = ${projectId} and l.gate_id <> 0
     group by 1, date_bin(${BUCKET_MS} * interval '1 millisecond', j.due_at, timestamptz 'epoch')
     order by 2`;
  const counts = new Map<number, DueWork[]>();
  for (const { gateId, ...due } of rows) counts.set(gateId, [...(counts.get(gateId) ?? []), due]);
  return counts;
}

/** Queues that jobs before each gate are in. */
export async function listGateQueues(sql: ISql, projectId: number): Promise<Map<number, Set<string>>> {
  const rows = await sql<{ gateId: number; queue: string }[]>`
    select distinct gate_id as "gateId", queue from job_lane where project_id = ${projectId} and gate_id <> 0`;
  const queues = new Map<number, Set<string>>();
  for (const { gateId, queue } of rows) queues.set(gateId, (queues.get(gateId) ?? new Set()).add(queue));
  return queues;
}

/** Targets that were called for a chain. */
export async function listChainTargets(sql: ISql, projectId: number, chain: string): Promise<TargetName[]> {
  return sql<TargetName[]>`
    select distinct provider, model, endpoint from series
     where project_id = ${projectId} and chain = ${chain}`;
}

export async function listOpenEpisodes(sql: ISql, projectId: number): Promise<TargetName[]> {
  return sql<TargetName[]>`
    select provider, model, endpoint from episode where project_id = ${projectId} and closed_at is null`;
}

export interface GateChange {
  readonly isOpen: boolean;
  readonly reason: WaitReason;
  readonly sinceAt: Date;
  readonly untilAt: Date | null;
  readonly windowFrom: Date | null;
  readonly windowTo: Date | null;
  readonly windowShare: number | null;
  readonly room: number | null;
  readonly perMinute: number | null;
  readonly drainBefore: Date | null;
  readonly learnt: Learnt;
  readonly rates: readonly number[] | null;
  readonly judgedAt: Date;
}

export async function updateGate(tx: ISql, projectId: number, id: number, gate: GateChange): Promise<void> {
  await tx`
    update job_gate
       set is_open = ${gate.isOpen}, reason = ${gate.reason}, since_at = ${gate.sinceAt}, until_at = ${gate.untilAt},
           window_from = ${gate.windowFrom}, window_to = ${gate.windowTo}, window_share = ${gate.windowShare},
           room = ${gate.room}, per_minute = ${gate.perMinute}, drain_before = ${gate.drainBefore},
           learnt = ${tx.json(gate.learnt as never)}, rates = ${gate.rates as never}::real[], judged_at = ${gate.judgedAt}
     where project_id = ${projectId} and id = ${id}`;
}

export async function insertGateChange(
  tx: ISql,
  projectId: number,
  gateId: number,
  { isOpen, reason, untilAt, judgedAt }: Pick<GateChange, "isOpen" | "reason" | "untilAt" | "judgedAt">,
): Promise<void> {
  await tx`
    insert into job_gate_change (project_id, gate_id, at, is_open, reason, until_at)
    values (${projectId}, ${gateId}, ${judgedAt}, ${isOpen}, ${reason}, ${untilAt})
        on conflict do nothing`;
}

export interface GateChangeRow {
  readonly at: Date;
  readonly isOpen: boolean;
  readonly reason: WaitReason;
  readonly untilAt: Date | null;
}

/** What a gate did from the last change before `from` on, oldest first. */
export async function listGateChanges(
  sql: ISql,
  projectId: number,
  gateId: number,
  { from, to, limit }: { readonly from: Date; readonly to: Date; readonly limit: number },
): Promise<GateChangeRow[]> {
  return sql<GateChangeRow[]>`
    select at, is_open as "isOpen", reason, until_at as "untilAt" from job_gate_change
     where project_id = ${projectId} and gate_id = ${gateId} and at <= ${to}
       and at >= coalesce((select max(at) from job_gate_change
                            where project_id = ${projectId} and gate_id = ${gateId} and at <= ${from}), '-infinity')
     order by at limit ${limit}`;
}
