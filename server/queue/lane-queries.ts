import type { ISql } from "../../db/connect.ts";
import { STALE_MS } from "./gate-queries.ts";
import { type GateSubject, hashGate, hashLane, type Lane, type LaneParts } from "./lane.ts";

const COLUMNS = `
  l.id, l.queue, l.submitter, l.priority, l.provider, l.model, l.endpoint, l.chain, l.gate_id as "gateId"`;

/**
 * The lane of these parts, made when it is not there.
 *
 * @param most lanes of a project: with so many no other is made
 * @returns `null` when there are so many
 */
export async function ensureLane(
  sql: ISql,
  projectId: number,
  parts: LaneParts,
  { nowMs, most }: { readonly nowMs: number; readonly most: number },
): Promise<number | null> {
  const hash = hashLane(parts);
  const now = new Date(nowMs);
  const [known] = await sql<{ id: number }[]>`
    update job_lane set used_at = ${now} where project_id = ${projectId} and hash = ${hash} returning id`;
  if (known !== undefined) return known.id;
  const [row] = await sql<{ id: number }[]>`
    insert into job_lane (project_id, queue, submitter, priority, provider, model, endpoint, chain, gate_id, hash, used_at)
    select ${projectId}, ${parts.queue}, ${parts.submitter}, ${parts.priority}, ${parts.provider}, ${parts.model},
           ${parts.endpoint}, ${parts.chain}, ${parts.gateId}, ${hash}, ${now}
     where (select count(*) from job_lane where project_id = ${projectId}) < ${most}
        on conflict (project_id, hash) do update set used_at = excluded.used_at
    returning id`;
  return row?.id ?? null;
}

/** The gate of this subject; a new one is shut until it is judged. */
export async function ensureGate(
  sql: ISql,
  projectId: number,
  subject: GateSubject,
  nowMs: number,
): Promise<number> {
  const { mode, provider, model, endpoint, chain } = subject;
  const hash = hashGate(subject);
  const [row] = await sql<{ id: number }[]>`
    with made as (
      insert into job_gate (project_id, mode, provider, model, endpoint, chain, hash, is_open, reason, since_at)
      values (${projectId}, ${mode}, ${provider}, ${model}, ${endpoint}, ${chain}, ${hash}, false, 'notJudged',
              ${new Date(nowMs)})
          on conflict (project_id, hash) do nothing
      returning id)
    select id from made
     union all
    select id from job_gate where project_id = ${projectId} and hash = ${hash}
     limit 1`;
  if (row !== undefined) return row.id;
  // Another server made it at the same moment: the next statement sees it.
  const [there] = await sql<{ id: number }[]>`
    select id from job_gate where project_id = ${projectId} and hash = ${hash}`;
  if (there === undefined) throw new Error("the gate was neither made nor found");
  return there.id;
}

export async function listLanes(
  sql: ISql,
  projectId: number,
  { queue, submitter }: { readonly queue?: string | undefined; readonly submitter?: string | undefined },
): Promise<Lane[]> {
  return sql<Lane[]>`
    select ${sql.unsafe(COLUMNS)} from job_lane l
     where l.project_id = ${projectId}
       and (${queue ?? null}::text is null or l.queue = ${queue ?? null})
       and (${submitter ?? null}::text is null or l.submitter = ${submitter ?? null})
     order by l.id`;
}

/** A lane as leasing sees it. */
export interface OpenLane extends Lane {
  readonly isOpen: boolean;
  /** Jobs that may still go through its gate this minute; `null`: no limit. */
  readonly room: number | null;
  /** Jobs that are to begin before it go whether the gate is open or not. */
  readonly dueBefore: Date;
}

/** Lanes of a queue with what their gates say. */
export async function listOpenLanes(
  sql: ISql,
  projectId: number,
  queue: string,
  nowMs: number,
): Promise<OpenLane[]> {
  return sql<OpenLane[]>`
    select ${sql.unsafe(COLUMNS)}, (g.id is null or (g.is_open and g.judged_at > ${new Date(nowMs - STALE_MS)})) as "isOpen", g.room,
           greatest(${new Date(nowMs)}::timestamptz, g.drain_before) as "dueBefore"
      from job_lane l
      left join job_gate g on g.project_id = l.project_id and g.id = l.gate_id
     where l.project_id = ${projectId} and l.queue = ${queue}
     order by l.id`;
}
