import type { ISql } from "../../db/connect.ts";
import type { GatheredWay } from "./source-ways.ts";
import type { Via } from "./way.ts";

/** A name of an instrument is sent to us: more of them than this in one project are not kept. */
const MAX_WAYS_PER_PROJECT = 1_000;

/** Adds what has gathered; of a project that is gone, nothing. */
export async function upsertSourceWay(sql: ISql, way: GatheredWay): Promise<void> {
  await sql`
    insert into source_way as w (project_id, source, via, instrument, last_received_at, call_count, failure_count)
    select p.id, ${way.source}, ${way.via}, ${way.instrument}, ${new Date(way.lastReceivedMs)}, ${way.calls},
           ${way.failures}
      from project p
     where p.id = ${way.projectId}
       and ((select count(*) from source_way o where o.project_id = p.id) < ${MAX_WAYS_PER_PROJECT}
            or exists (select from source_way o
                        where o.project_id = p.id and o.source = ${way.source} and o.via = ${way.via}
                          and o.instrument = ${way.instrument}))
        on conflict (project_id, source, via, instrument) do update
       set last_received_at = greatest(w.last_received_at, excluded.last_received_at),
           call_count = w.call_count + excluded.call_count,
           failure_count = w.failure_count + excluded.failure_count`;
}

export interface SourceWayRow {
  readonly source: string;
  readonly via: Via;
  readonly instrument: string;
  readonly lastReceivedAt: Date;
  readonly calls: number;
  readonly failures: number;
}

/** By source; within a source the way with most calls first. */
export async function listSourceWays(sql: ISql, projectId: number): Promise<SourceWayRow[]> {
  return sql<SourceWayRow[]>`
    select source, via, instrument, last_received_at as "lastReceivedAt", call_count::float8 as calls,
           failure_count::float8 as failures
      from source_way where project_id = ${projectId}
     order by source, call_count desc, via, instrument`;
}
