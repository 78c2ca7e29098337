import type { ISql } from "../../db/connect.ts";
import type { StoredCall } from "./span-memory.ts";

/** Removes attempts, and has the figures of their minutes made anew. Those that are not there are passed over. */
export async function deleteAttempts(
  sql: ISql,
  projectId: number,
  calls: readonly StoredCall[],
): Promise<void> {
  const timesMs = calls.map(({ occurredAtMs }) => occurredAtMs);
  const times = `{${timesMs.join(",")}}`;
  const ids = `{${calls.map(({ eventId }) => eventId).join(",")}}`;
  await sql`
    with removed as (
      delete from attempt a
       using unnest(${times}::bigint[], ${ids}::uuid[]) as u (occurred_at, event_id)
       where a.project_id = ${projectId}
         and a.occurred_at >= ${new Date(Math.min(...timesMs))} and a.occurred_at <= ${new Date(Math.max(...timesMs))}
         and a.occurred_at = to_timestamp(u.occurred_at::float8 / 1000)
         and a.event_id = u.event_id
      returning a.occurred_at
    )
    insert into touched_bucket (project_id, minute)
    select distinct ${projectId}::int, date_trunc('minute', occurred_at, 'UTC') from removed`;
}
