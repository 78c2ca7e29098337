import type { ISql, Sql } from "../../db/connect.ts";
import type { ChannelKey } from "../channels/queries.ts";
import type { JobResult } from "../contract/job.ts";

/** Channels that are on and are to be told something now. */
export async function listDueChannels(sql: Sql, nowMs: number): Promise<ChannelKey[]> {
  const now = new Date(nowMs);
  return sql<ChannelKey[]>`
    select c.project_id as "projectId", c.id as "channelId"
      from channel c
     where c.is_enabled and c.kind = 'webhook' and (c.paused_until is null or c.paused_until <= ${now})
       and exists (select from job_callback b
                    where b.project_id = c.project_id and b.channel_id = c.id and b.next_try_at <= ${now})
     order by c.project_id, c.id`;
}

/** What a message tells of a job. */
export interface ToldJob {
  readonly id: number;
  readonly key: string | null;
  readonly reference: string | null;
  readonly queue: string;
  readonly submitter: string;
  readonly state: string;
  readonly result: JobResult | null;
  readonly error: string | null;
  readonly attempts: number;
  readonly submittedAt: Date;
  readonly finishedAt: Date;
}

export interface ClaimedMessage {
  readonly messageId: string;
  readonly createdAt: Date;
  /** This one included. */
  readonly tries: number;
  readonly jobs: readonly ToldJob[];
}

/**
 * Takes a message that is due: one that was tried before with the jobs that it had then, else a new one of jobs that nobody
 * was told of. Not tried again before `untilMs`, unless it is settled: whoever sends it may die.
 *
 * @param newId of a new message
 */
export async function claimMessage(
  tx: ISql,
  { projectId, channelId }: ChannelKey,
  {
    newId,
    most,
    nowMs,
    untilMs,
  }: { readonly newId: string; readonly most: number; readonly nowMs: number; readonly untilMs: number },
): Promise<ClaimedMessage | null> {
  const now = new Date(nowMs);
  const [head] = await tx<{ messageId: string | null }[]>`
    select message_id as "messageId" from job_callback
     where project_id = ${projectId} and channel_id = ${channelId} and next_try_at <= ${now}
     order by next_try_at, job_id limit 1 for update`;
  if (head === undefined) return null;
  const { messageId } = head;
  const rows = await tx<{ jobId: number; createdAt: Date; tries: number }[]>`
    update job_callback
       set message_id = ${messageId ?? newId}, try_count = try_count + 1, next_try_at = ${new Date(untilMs)}
     where project_id = ${projectId} and job_id = any(array(
           select job_id from job_callback
            where project_id = ${projectId} and channel_id = ${channelId} and next_try_at <= ${now}
              and message_id is not distinct from ${messageId}::uuid
            order by job_id limit ${most} for update))
    returning job_id::float8 as "jobId", created_at as "createdAt", try_count as tries`;
  const [first] = rows;
  if (first === undefined) return null;
  const jobs = await tx<ToldJob[]>`
    select d.id::float8 as id, d.key, d.reference, l.queue, l.submitter, d.state, d.result, d.last_error as error,
           d.lease_count as attempts, d.submitted_at as "submittedAt", d.finished_at as "finishedAt"
      from job_done d join job_lane l on l.project_id = d.project_id and l.id = d.lane_id
     where d.project_id = ${projectId} and d.id = any(${rows.map(({ jobId }) => jobId)}::bigint[])
     order by d.finished_at, d.id`;
  return { messageId: messageId ?? newId, createdAt: first.createdAt, tries: first.tries, jobs };
}

/** It was told, or never will be. */
export async function deleteMessage(tx: ISql, projectId: number, messageId: string): Promise<void> {
  await tx`delete from job_callback where project_id = ${projectId} and message_id = ${messageId}`;
}

export async function postponeMessage(
  tx: ISql,
  projectId: number,
  messageId: string,
  nextTryMs: number,
): Promise<void> {
  await tx`
    update job_callback set next_try_at = ${new Date(nextTryMs)}
     where project_id = ${projectId} and message_id = ${messageId}`;
}

/** What nobody can be told any more: the channel is gone. */
export async function deleteOrphans(sql: Sql): Promise<number> {
  const { count } = await sql`
    delete from job_callback b
     where not exists (select from channel c where c.project_id = b.project_id and c.id = b.channel_id)`;
  return count;
}
