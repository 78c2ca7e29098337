import type { ISql, Sql } from "../../db/connect.ts";
import type { DeliveryCode, DeliveryRecord } from "../contract/channel.ts";
import type { Notice } from "../contract/notice.ts";
import type { ChannelKey } from "./queries.ts";

/** Channels that are on and have something in their outbox that is due, unless they must be quiet for now. */
export async function listDueChannels(sql: Sql, nowMs: number): Promise<ChannelKey[]> {
  const now = new Date(nowMs);
  return sql<ChannelKey[]>`
    select c.project_id as "projectId", c.id as "channelId"
      from channel c
     where c.is_enabled and (c.paused_until is null or c.paused_until <= ${now})
       and exists (select from notification n
                    where n.project_id = c.project_id and n.channel_id = c.id and n.state = 'waiting'
                      and n.next_try_at <= ${now})
     order by c.project_id, c.id`;
}

export interface WaitingRow {
  readonly id: number;
  readonly notice: Notice;
  readonly messageId: string;
  readonly createdAt: Date;
  readonly tryCount: number;
  readonly nextTryAt: Date;
  readonly sendingAt: Date | null;
  readonly isUncertain: boolean;
}

/** What waits for a channel, the first thing first. */
export async function listWaiting(
  tx: ISql,
  { projectId, channelId }: ChannelKey,
  limit: number,
): Promise<WaitingRow[]> {
  return tx<WaitingRow[]>`
    select id::float8 as id, notice, message_id as "messageId", created_at as "createdAt", try_count as "tryCount",
           next_try_at as "nextTryAt", sending_at as "sendingAt", is_uncertain as "isUncertain"
      from notification
     where project_id = ${projectId} and channel_id = ${channelId} and state = 'waiting'
     order by id
     limit ${limit}`;
}

export async function countWaiting(sql: ISql, { projectId, channelId }: ChannelKey): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from notification
     where project_id = ${projectId} and channel_id = ${channelId} and state = 'waiting'`;
  return row?.n ?? 0;
}

export async function markDigested(
  tx: ISql,
  projectId: number,
  ids: readonly number[],
  digestId: number,
  nowMs: number,
): Promise<void> {
  await tx`
    update notification set state = 'digested', digest_id = ${digestId}, settled_at = ${new Date(nowMs)},
           sending_at = null
     where project_id = ${projectId} and id = any(${[...ids]}::bigint[])`;
}

export async function markSending(
  tx: ISql,
  projectId: number,
  id: number,
  { nowMs, isUncertain }: { nowMs: number; isUncertain: boolean },
): Promise<void> {
  await tx`
    update notification
       set sending_at = ${new Date(nowMs)}, try_count = try_count + 1, is_uncertain = ${isUncertain}
     where project_id = ${projectId} and id = ${id}`;
}

export async function markSettled(
  tx: ISql,
  projectId: number,
  id: number,
  state: "sent" | "failed",
  nowMs: number,
): Promise<void> {
  await tx`
    update notification set state = ${state}, settled_at = ${new Date(nowMs)}, sending_at = null
     where project_id = ${projectId} and id = ${id} and state = 'waiting'`;
}

export async function markRetried(
  tx: ISql,
  projectId: number,
  id: number,
  { nextTryMs, isUncertain }: { nextTryMs: number; isUncertain: boolean },
): Promise<void> {
  await tx`
    update notification
       set next_try_at = ${new Date(nextTryMs)}, sending_at = null, is_uncertain = is_uncertain or ${isUncertain}
     where project_id = ${projectId} and id = ${id} and state = 'waiting'`;
}

/** Everything that waits for the channel fails: it is closed for good. */
export async function failWaiting(
  tx: ISql,
  { projectId, channelId }: ChannelKey,
  nowMs: number,
): Promise<void> {
  await tx`
    update notification set state = 'failed', settled_at = ${new Date(nowMs)}, sending_at = null
     where project_id = ${projectId} and channel_id = ${channelId} and state = 'waiting'`;
}

/**
 * Whatever was wrong may be mended: what waits is due now, and what failed since the channel stopped to work waits again.
 *
 * @param failingSince `null`: it works, and what it refused stays refused
 */
export async function makeDue(
  tx: ISql,
  { projectId, channelId }: ChannelKey,
  failingSince: Date | null,
  nowMs: number,
): Promise<void> {
  await tx`update channel set paused_until = null where project_id = ${projectId} and id = ${channelId}`;
  await tx`
    update notification set next_try_at = ${new Date(nowMs)}
     where project_id = ${projectId} and channel_id = ${channelId} and state = 'waiting'
       and next_try_at > ${new Date(nowMs)}`;
  if (failingSince === null) return;
  await tx`
    update notification
       set state = 'waiting', settled_at = null, try_count = 0, next_try_at = ${new Date(nowMs)}
     where project_id = ${projectId} and channel_id = ${channelId} and state = 'failed'
       and settled_at >= ${failingSince}`;
}

/** What is known of a try to deliver. */
interface Delivery {
  readonly notificationId: number | null;
  readonly outcome: DeliveryRecord["outcome"];
  readonly tryNumber: number;
  readonly title: string;
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly status: number | null;
  readonly answer: string;
  readonly code: DeliveryCode | null;
}

export interface NewDelivery extends ChannelKey, Delivery {
  readonly atMs: number;
  readonly nextTryMs: number | null;
}

export async function insertDelivery(tx: ISql, row: NewDelivery): Promise<void> {
  await tx`
    insert into delivery (project_id, channel_id, notification_id, at, outcome, try_number, title, duration_ms,
           request_bytes, status, answer, code, next_try_at)
    values (${row.projectId}, ${row.channelId}, ${row.notificationId}, ${new Date(row.atMs)}, ${row.outcome},
            ${row.tryNumber}, ${row.title}, ${row.durationMs}, ${row.requestBytes}, ${row.status}, ${row.answer},
            ${row.code}, ${row.nextTryMs === null ? null : new Date(row.nextTryMs)})`;
}

export interface DeliveryRow extends Delivery {
  readonly id: number;
  readonly at: Date;
  readonly nextTryAt: Date | null;
}

/** Tries of a channel, newest first; only those before `before`. */
export async function listDeliveries(
  sql: Sql,
  { projectId, channelId }: ChannelKey,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<DeliveryRow[]> {
  return sql<DeliveryRow[]>`
    select id::float8 as id, at, notification_id::float8 as "notificationId", outcome, try_number as "tryNumber",
           title, duration_ms as "durationMs", request_bytes as "requestBytes", status, answer, code,
           next_try_at as "nextTryAt"
      from delivery
     where project_id = ${projectId} and channel_id = ${channelId}
       and (${before}::bigint is null or id < ${before})
     order by id desc
     limit ${limit}`;
}

/** Forgets what was told before, and how. @returns rows that went */
export async function pruneDeliveries(sql: Sql, before: Date): Promise<number> {
  const old = await sql`delete from delivery where at < ${before}`;
  const told = await sql`delete from notification where created_at < ${before} and state <> 'waiting'`;
  return old.count + told.count;
}
