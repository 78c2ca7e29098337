import type { ISql, Sql } from "../../db/connect.ts";

/** What a secret is called. */
export interface SecretName {
  /** `null`: the installation's own. */
  readonly projectId: number | null;
  /** Whose it is and what: `channel/12/url`. */
  readonly name: string;
}

export interface SealedSecret extends SecretName {
  readonly keyId: string;
  readonly sealed: Buffer;
}

/** Stores it, in place of one of the same name. */
export async function putSecret(sql: ISql, { projectId, name, keyId, sealed }: SealedSecret): Promise<void> {
  await sql`
    insert into secret (project_id, name, key_id, sealed)
    values (${projectId}, ${name}, ${keyId}, ${sealed})
        on conflict (project_id, name) do update
       set key_id = excluded.key_id, sealed = excluded.sealed, sealed_at = now()`;
}

export async function findSecret(sql: ISql, { projectId, name }: SecretName): Promise<SealedSecret | null> {
  const [row] = await sql<SealedSecret[]>`
    select project_id as "projectId", name, key_id as "keyId", sealed
      from secret
     where project_id is not distinct from ${projectId}::int and name = ${name}`;
  return row ?? null;
}

/** Whether there was one. */
export async function deleteSecret(sql: ISql, { projectId, name }: SecretName): Promise<boolean> {
  const { count } = await sql`
    delete from secret where project_id is not distinct from ${projectId}::int and name = ${name}`;
  return count > 0;
}

/** How many secrets there are of each key, payloads of jobs included. */
export async function countSecretsByKey(sql: Sql): Promise<{ keyId: string; secrets: number }[]> {
  return sql`
    select key_id as "keyId", count(*)::int as secrets
      from (select key_id from secret union all select key_id from job_payload) as sealed
     group by 1 order by 1`;
}

/** Where a payload of a job stands. */
export interface PayloadPlace {
  readonly projectId: number;
  readonly jobId: number;
}

/** Payloads that another key than this one sealed, held until the transaction ends. Those that others hold are left. */
export async function lockPayloadsOfOtherKeys(
  tx: ISql,
  keyId: string,
  after: PayloadPlace,
  limit: number,
): Promise<(PayloadPlace & { keyId: string; sealed: Buffer })[]> {
  return tx`
    select project_id as "projectId", job_id::float8 as "jobId", key_id as "keyId", sealed
      from job_payload
     where key_id <> ${keyId} and (project_id, job_id) > (${after.projectId}, ${after.jobId}::bigint)
     order by project_id, job_id
     limit ${limit}
       for update skip locked`;
}

export async function replacePayload(
  tx: ISql,
  { projectId, jobId }: PayloadPlace,
  keyId: string,
  sealed: Buffer,
): Promise<void> {
  await tx`
    update job_payload set key_id = ${keyId}, sealed = ${sealed}
     where project_id = ${projectId} and job_id = ${jobId}`;
}

/** Secrets that another key than this one sealed, held until the transaction ends; those that others hold are left. */
export async function lockSecretsOfOtherKeys(
  tx: ISql,
  keyId: string,
  afterId: number,
  limit: number,
): Promise<(SealedSecret & { id: number })[]> {
  return tx`
    select id, project_id as "projectId", name, key_id as "keyId", sealed
      from secret
     where key_id <> ${keyId} and id > ${afterId}
     order by id
     limit ${limit}
       for update`;
}

export async function replaceSealed(tx: ISql, id: number, keyId: string, sealed: Buffer): Promise<void> {
  await tx`update secret set key_id = ${keyId}, sealed = ${sealed}, sealed_at = now() where id = ${id}`;
}
