import type { Sql } from "../../db/connect.ts";
import { noteChangeSql, type Occasion } from "../audit/note-change.ts";
import { ROLLUP_LOCK } from "../rollup/job.ts";
import type { ProjectRow } from "./projects.ts";

/** Tables that hold a project's data without a foreign key to it, so that ingest need not check one. */
const TABLES = [
  "touched_bucket",
  "attempt",
  "attempt_rollup_1m",
  "attempt_rollup_15m",
  "attempt_rollup_1h",
  "attempt_rollup_1d",
  "capacity_rollup_15m",
  "latency_rollup_1m",
  "latency_rollup_15m",
  "latency_rollup_1h",
  "latency_rollup_1d",
  "unsettled_day",
  "hour_profile",
  "hour_profile_run",
  "job",
  "job_done",
  "job_key",
  "job_payload",
  "job_event",
  "job_callback",
  "served_model",
  "series",
] as const;

/**
 * Removes a project with all of its data, keys included, in one transaction; the audit log stays. It holds the rollup lock, so that
 * no job that is under way writes the project's rollups back.
 */
export async function removeProject(
  sql: Sql,
  { id: projectId, slug, name, timeZone, isSample }: ProjectRow,
  occasion: Occasion,
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${ROLLUP_LOCK})`;
    await tx`delete from project where id = ${projectId}`;
    for (const table of TABLES) await tx`delete from ${tx(table)} where project_id = ${projectId}`;
    await noteChangeSql(tx, occasion, {
      action: isSample ? "sample.removed" : "project.removed",
      project: { id: projectId, slug },
      subject: { id: projectId, name },
      before: { slug, name, timeZone },
    });
  });
}
