import type { ISql } from "../../db/connect.ts";
import { columnOf } from "./columns.ts";
import type { OpenLane } from "./lane-queries.ts";

/** A lane and when its submitter's turn is, beside others. */
export interface LaneTurn extends OpenLane {
  /** From 0: submitters that were served least come first. */
  readonly turn: number;
}

/** For whom a job is taken. */
export interface Slot {
  readonly worker: string;
  readonly leaseMs: number;
}

export interface LeasedRow {
  readonly id: number;
  readonly laneId: number;
  /** Place in the slots. */
  readonly slot: number;
  readonly token: string;
  readonly key: string | null;
  readonly reference: string | null;
  readonly payloadBytes: number | null;
  readonly submittedAt: Date;
  readonly notAfter: Date | null;
  readonly dueAt: Date | null;
  readonly expectedMs: number;
  readonly leaseCount: number;
  readonly failureCount: number;
  readonly maxAttempts: number;
  readonly leasedUntil: Date;
}

/**
 * Takes jobs that are ready, as many as there are slots, and gives each to its slot:
 *
 * 1. those whose latest time comes, the most urgent first, whatever their gates say;
 * 2. `oldest` of the oldest, whoever submitted them and however unimportant they are, so that nothing waits for ever;
 * 3. the others by turns of submitters: each one's first, each one's second …, by priority, those that were put back and
 *    whose pause is over before new ones.
 *
 * What another server is taking at this moment is passed over. Every lane is looked into by an index, from its front: how
 * many wait makes no difference.
 */
export async function leaseJobs(
  sql: ISql,
  projectId: number,
  lanes: readonly LaneTurn[],
  slots: readonly Slot[],
  { oldest, nowMs }: { readonly oldest: number; readonly nowMs: number },
): Promise<LeasedRow[]> {
  const now = new Date(nowMs);
  return sql<LeasedRow[]>`
    with ${rankReady(sql, projectId, lanes, { oldest, most: slots.length, now })}, taken as materialized (
      select id from job
       where project_id = ${projectId} and id = any(array(select id from candidate)) and token is null
         for update skip locked
    ), placed as (
      select t.id, row_number() over (order by c.place) as slot from taken t join candidate c on c.id = t.id
    ), slot as (
      select * from unnest(${slots.map(({ worker }) => worker)}::text[], ${slots.map(({ leaseMs }) => leaseMs)}::int[])
        with ordinality as s (worker, lease_ms, slot)
    )
    update job j
       set token = gen_random_uuid(), worker = s.worker, lease_ms = s.lease_ms, leased_at = ${now},
           leased_until = ${now}::timestamptz + s.lease_ms * interval '1 millisecond',
           lease_count = j.lease_count + 1
      from placed p join slot s on s.slot = p.slot
     where j.project_id = ${projectId} and j.id = p.id
    returning j.id::float8 as id, j.lane_id as "laneId", (s.slot - 1)::int as slot, j.token, j.key, j.reference,
              j.payload_bytes as "payloadBytes", j.submitted_at as "submittedAt", j.not_after as "notAfter",
              j.due_at as "dueAt", j.expected_ms as "expectedMs", j.lease_count as "leaseCount",
              j.failure_count as "failureCount", j.max_attempts as "maxAttempts", j.leased_until as "leasedUntil"`;
}

/** The numbers of jobs that are ready and their places, as `candidate`: see {@link leaseJobs}. */
function rankReady(
  sql: ISql,
  projectId: number,
  lanes: readonly LaneTurn[],
  { oldest, most, now }: { readonly oldest: number; readonly most: number; readonly now: Date },
) {
  const column = <K extends keyof LaneTurn>(name: K) => columnOf(lanes, name);
  return sql`
    lane as materialized (
      select * from unnest(${column("id")}::int[], ${column("submitter")}::text[], ${column("priority")}::int[],
                           ${column("gateId")}::int[], ${lanes.map(({ isOpen }) => (isOpen ? 1 : 0))}::int[], ${column("room")}::int[],
                           ${column("dueBefore")}::timestamptz[], ${column("turn")}::int[])
          as l (id, submitter, priority, gate_id, is_open, room, due_before, turn)
    ), due as (
      select j.id, row_number() over (order by j.due_at, j.id) as place
        from lane l
       cross join lateral (
             select id, due_at from job
              where project_id = ${projectId} and lane_id = l.id and token is null and due_at is not null
                and due_at <= l.due_before and (delayed_until is null or delayed_until <= ${now})
              order by due_at, id limit ${most}) j
       order by j.due_at, j.id limit ${most}
    ), head as materialized (
      select j.id, l.submitter, l.turn, l.priority, j.is_new, j.at,
             row_number() over (partition by l.gate_id order by l.turn, l.priority, j.is_new, j.at, j.id) as in_gate,
             l.room
        from lane l
       cross join lateral (
             (select id, 0 as is_new, delayed_until as at from job
               where project_id = ${projectId} and lane_id = l.id and token is null and delayed_until is not null
                 and delayed_until <= ${now}
               order by delayed_until, id limit ${most})
              union all
             (select id, 1, null from job
               where project_id = ${projectId} and lane_id = l.id and token is null and delayed_until is null
               order by id limit ${most})) j
       where l.is_open = 1 and (l.room is null or l.room > 0)
    ), open as (
      select * from head where room is null or in_gate <= room
    ), old as (
      select id, row_number() over (order by id) as place from open order by id limit ${oldest}
    ), turns as (
      select id, row_number() over (order by round, turn, id) as place
        from (select id, turn, row_number() over (partition by submitter order by priority, is_new, at, id) as round
                from open) as rounds
       order by round, turn, id limit ${most}
    ), candidate as (
      select id, min(place) as place
        from (select id, place from due
               union all
              select id, 1000000 + place from old
               union all
              select id, 2000000 + place from turns) as named
       group by id
       order by 2 limit ${most}
    )`;
}

/** Jobs went through gates that let them go little by little. */
export async function spendRoom(
  sql: ISql,
  projectId: number,
  spent: ReadonlyMap<number, number>,
): Promise<void> {
  const gates = [...spent].sort(([a], [b]) => a - b);
  for (const [gateId, count] of gates)
    await sql`
      update job_gate set room = greatest(0, room - ${count})
       where project_id = ${projectId} and id = ${gateId} and room is not null`;
}

export interface ExtendedRow {
  readonly id: number;
  readonly token: string;
  readonly leasedUntil: Date;
  readonly isCancelAsked: boolean;
}

/** Leases that are still held, for longer. A lease that ran out may be, as long as nobody has ended it. */
export async function extendLeases(
  sql: ISql,
  projectId: number,
  leases: readonly { readonly id: number; readonly token: string }[],
  leaseMs: number,
  nowMs: number,
): Promise<ExtendedRow[]> {
  return sql<ExtendedRow[]>`
    with held as materialized (
      select j.id from job j
        join unnest(${leases.map(({ id }) => id)}::bigint[], ${leases.map(({ token }) => token)}::uuid[]) as l (id, token)
          on l.id = j.id and l.token = j.token
       where j.project_id = ${projectId} and j.id = any(${leases.map(({ id }) => id)}::bigint[])
       order by j.id
         for update of j
    )
    update job j
       set lease_ms = ${leaseMs}, leased_until = ${new Date(nowMs + leaseMs)}
     where j.project_id = ${projectId} and j.id = any(array(select id from held))
    returning j.id::float8 as id, j.token, j.leased_until as "leasedUntil",
              j.cancel_asked_at is not null as "isCancelAsked"`;
}

/** When something is expected to be ready in these lanes; `null`: nobody knows. */
export async function findNextReady(
  sql: ISql,
  projectId: number,
  queue: string,
  nowMs: number,
): Promise<Date | null> {
  const now = new Date(nowMs);
  const [row] = await sql<{ at: Date | null }[]>`
    select min(at) as at
      from job_lane l
      left join job_gate g on g.project_id = l.project_id and g.id = l.gate_id
     cross join lateral (
           (select due_at as at from job
             where project_id = ${projectId} and lane_id = l.id and token is null and due_at is not null
             order by due_at limit 1)
            union all
           (select delayed_until from job
             where project_id = ${projectId} and lane_id = l.id and token is null and delayed_until > ${now}
               and coalesce(g.is_open, true)
             order by delayed_until limit 1)
            union all
           (select g.until_at
             where not g.is_open
               and exists (select from job
                            where project_id = ${projectId} and lane_id = l.id and token is null))) as next
     where l.project_id = ${projectId} and l.queue = ${queue}`;
  return row?.at ?? null;
}

export async function noteWorkers(
  sql: ISql,
  projectId: number,
  queue: string,
  workers: readonly { readonly worker: string; readonly concurrency: number | null }[],
  nowMs: number,
): Promise<void> {
  const sorted = [...workers].sort((a, b) => (a.worker < b.worker ? -1 : 1));
  await sql`
    insert into job_worker (project_id, queue, worker, concurrency, last_seen_at)
    select p.id, ${queue}, w.worker, w.concurrency, ${new Date(nowMs)}
      from unnest(${sorted.map(({ worker }) => worker)}::text[], ${sorted.map(({ concurrency }) => concurrency) as never[]}::int[])
           as w (worker, concurrency)
      join project p on p.id = ${projectId}
     order by w.worker
        on conflict (project_id, queue, worker) do update
       set concurrency = excluded.concurrency, last_seen_at = excluded.last_seen_at`;
}

/** A worker that is full does not ask for more, but keeps what it has. */
export async function noteAlive(sql: ISql, projectId: number, worker: string, nowMs: number): Promise<void> {
  await sql`
    update job_worker set last_seen_at = ${new Date(nowMs)}
     where project_id = ${projectId} and worker = ${worker} and last_seen_at < ${new Date(nowMs - SEEN_EVERY_MS)}`;
}

/** To so much it is known when a worker spoke last. */
export const SEEN_EVERY_MS = 15_000;
