import type { Sql } from "../../db/connect.ts";
import { floorTo, HOUR_MS } from "../rollup/levels.ts";
import { HEATMAP_LOOKBACK_MS } from "./heatmap.ts";

/**
 * Makes each project's busy-hour profile: counts by hour of week in the project's zone, over the 28 days before
 * the last full hour. A project whose profile is of this hour and not stale is passed over, so running it again
 * costs nothing.
 *
 * @returns how many profiles were made
 */
export async function runProfiles(sql: Sql, nowMs: number): Promise<number> {
  const to = new Date(floorTo(nowMs, HOUR_MS));
  const from = new Date(to.getTime() - HEATMAP_LOOKBACK_MS);
  const projects = await sql<{ id: number; timeZone: string }[]>`
    select p.id, p.time_zone as "timeZone"
      from project p
      left join hour_profile_run r on r.project_id = p.id
     where r.project_id is null or r.is_stale or r.range_to <> ${to} or r.time_zone <> p.time_zone`;
  for (const { id, timeZone } of projects)
    await makeProfile(sql, { projectId: id, timeZone, from, to, nowMs });
  return projects.length;
}

interface ProfileToMake {
  readonly projectId: number;
  readonly timeZone: string;
  readonly from: Date;
  readonly to: Date;
  readonly nowMs: number;
}

/**
 * Replaces the profile in one transaction. The run's row comes first: a rollup that changes the range meanwhile
 * waits for it and then marks it stale again, so no change is lost.
 */
async function makeProfile(sql: Sql, { projectId, timeZone, from, to, nowMs }: ProfileToMake): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      insert into hour_profile_run (project_id, time_zone, range_from, range_to, is_stale, computed_at)
      values (${projectId}, ${timeZone}, ${from}, ${to}, false, ${new Date(nowMs)})
          on conflict (project_id) do update
         set time_zone = excluded.time_zone, range_from = excluded.range_from, range_to = excluded.range_to,
             is_stale = false, computed_at = excluded.computed_at, version = hour_profile_run.version + 1`;
    await tx`delete from hour_profile where project_id = ${projectId}`;
    await tx`
      insert into hour_profile (project_id, series_id, hour_of_week, outcome, attempt_count, final_count)
      select ${projectId}, r.series_id,
             (extract(epoch from r.bucket_start at time zone ${timeZone})::bigint / 3600 + 72) % 168,
             r.outcome, sum(r.attempt_count), sum(r.final_count)
        from series s
        join attempt_rollup_15m r on r.project_id = s.project_id and r.series_id = s.id
       where s.project_id = ${projectId} and r.bucket_start >= ${from} and r.bucket_start < ${to}
       group by 2, 3, 4`;
  });
}
