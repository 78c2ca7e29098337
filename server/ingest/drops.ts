import type { Sql } from "../../db/connect.ts";
import type { ReporterNote } from "../contract/attempt-event.ts";
import { toUuid } from "./event-id.ts";
import { cleanLabel } from "./scrub.ts";

/** Keeps what a reporter says that it lost. Resolves after commit; the same note again changes nothing. */
export type NoteDrops = (projectId: number, note: ReporterNote, nowMs: number) => Promise<void>;

export function createNoteDrops(sql: Sql): NoteDrops {
  return async (projectId, { id, dropped }, nowMs) => {
    const counts = new Map<string, number>();
    for (const [name, count] of Object.entries(dropped)) {
      if (count === 0) continue;
      const source = cleanLabel(name);
      counts.set(source, (counts.get(source) ?? 0) + count);
    }
    if (counts.size > 0) await upsertDrops(sql, projectId, toUuid(id), counts, new Date(nowMs));
  };
}

/** Keeps the larger total: notes may arrive twice, and late ones after newer ones. */
async function upsertDrops(
  sql: Sql,
  projectId: number,
  reporterId: string,
  counts: ReadonlyMap<string, number>,
  at: Date,
): Promise<void> {
  // In one order everywhere, so that two copies of a note wait for each other instead of locking each other out.
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  await sql`
    insert into reporter_drop as d (project_id, source, reporter_id, dropped_count, last_dropped_at)
    select p.id, t.source, ${reporterId}::uuid, t.count, ${at}
      from unnest(${rows.map(([source]) => source)}::text[], ${rows.map(([, count]) => count)}::bigint[])
           as t (source, count)
      join project p on p.id = ${projectId}
        on conflict (project_id, source, reporter_id) do update
       set dropped_count = excluded.dropped_count, last_dropped_at = excluded.last_dropped_at
     where excluded.dropped_count > d.dropped_count`;
}

/** Forgets reporters that have lost nothing since then. */
export async function deleteDropsBefore(sql: Sql, before: Date): Promise<void> {
  await sql`delete from reporter_drop where last_dropped_at < ${before}`;
}
