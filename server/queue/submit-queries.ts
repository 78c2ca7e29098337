import type { ISql } from "../../db/connect.ts";
import { columnOf } from "./columns.ts";

/** A job as it is stored. */
export interface NewRow {
  readonly laneId: number;
  readonly key: string | null;
  /** Of queue and key. */
  readonly keyHash: string | null;
  readonly reference: string | null;
  /** As JSON. */
  readonly payload: string | null;
  readonly payloadBytes: number | null;
  readonly notify: number | null;
  readonly submittedAt: Date;
  readonly notBefore: Date | null;
  readonly notAfter: Date | null;
  readonly expectedMs: number;
  readonly dueAt: Date | null;
  readonly maxAttempts: number;
}

export interface StoredRow {
  /** Place in the rows that were given. */
  readonly place: number;
  readonly id: number;
  /** A job of the same key was there: this number was not used. */
  readonly isNew: boolean;
}

/**
 * Stores the rows whose keys are new. Keys are taken in one order, so that two servers wait for each other and not in a
 * ring.
 *
 * @returns a row for each; fewer where a lane is gone meanwhile
 */
export async function insertJobs(tx: ISql, projectId: number, rows: readonly NewRow[]): Promise<StoredRow[]> {
  const column = <K extends keyof NewRow>(name: K) => columnOf(rows, name);
  return tx<StoredRow[]>`
    with input as materialized (
      select i.*, nextval(pg_get_serial_sequence('job', 'id')) as id
        from unnest(${column("laneId")}::int[], ${column("key")}::text[], ${column("keyHash")}::uuid[],
                    ${column("reference")}::text[], ${column("payloadBytes")}::int[], ${column("notify")}::int[],
                    ${column("submittedAt")}::timestamptz[], ${column("notBefore")}::timestamptz[],
                    ${column("notAfter")}::timestamptz[], ${column("expectedMs")}::int[],
                    ${column("dueAt")}::timestamptz[], ${column("maxAttempts")}::int[])
             with ordinality as i (lane_id, key, hash, reference, payload_bytes, notify, submitted_at, not_before,
                                   not_after, expected_ms, due_at, max_attempts, place)
       where exists (select from job_lane l where l.project_id = ${projectId} and l.id = i.lane_id)
       order by i.place
    ), keyed as (
      insert into job_key (project_id, hash, job_id)
      select ${projectId}, hash, id from input where hash is not null order by hash, place
          on conflict (project_id, hash) do nothing
      returning job_id
    ), fresh as (
      insert into job (project_id, id, lane_id, key, key_hash, reference, payload_bytes, notify, submitted_at, not_before,
             not_after, expected_ms, due_at, delayed_until, delay_reason, max_attempts)
      select ${projectId}, id, lane_id, key, hash, reference, payload_bytes, notify, submitted_at, not_before,
             not_after, expected_ms, due_at, not_before, case when not_before is not null then 'scheduled' end,
             max_attempts
        from input
       where hash is null or id in (select job_id from keyed)
      returning id
    )
    select (place - 1)::int as place, id::float8 as id, id in (select id from fresh) as "isNew" from input`;
}

/** Jobs of these keys, by hash. */
export async function findByKeys(
  sql: ISql,
  projectId: number,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql<{ hash: string; id: number }[]>`
    select hash, job_id::float8 as id from job_key
     where project_id = ${projectId} and hash = any(${[...hashes]}::uuid[])`;
  return new Map(rows.map(({ hash, id }) => [hash, id]));
}

export interface SealedPayload {
  readonly jobId: number;
  readonly keyId: string;
  readonly sealed: Buffer;
}

export async function insertPayloads(
  tx: ISql,
  projectId: number,
  payloads: readonly SealedPayload[],
  expiresAt: Date,
): Promise<void> {
  await tx`
    insert into job_payload (project_id, job_id, key_id, sealed, expires_at)
    select ${projectId}, job_id, key_id, decode(sealed, 'base64'), ${expiresAt}
      from unnest(${payloads.map(({ jobId }) => jobId)}::bigint[], ${payloads.map(({ keyId }) => keyId)}::text[],
                  ${payloads.map(({ sealed }) => sealed.toString("base64"))}::text[]) as p (job_id, key_id, sealed)`;
}

export async function listPayloads(
  sql: ISql,
  projectId: number,
  jobIds: readonly number[],
): Promise<SealedPayload[]> {
  return sql<SealedPayload[]>`
    select job_id::float8 as "jobId", key_id as "keyId", sealed from job_payload
     where project_id = ${projectId} and job_id = any(${[...jobIds]}::bigint[])`;
}

/** Which of these are webhook channels of the project. */
export async function listWebhooks(
  sql: ISql,
  projectId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    select id from channel
     where project_id = ${projectId} and id = any(${[...ids]}::int[]) and kind = 'webhook'`;
  return new Set(rows.map(({ id }) => id));
}
