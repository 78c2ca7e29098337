import type { ISql } from "../../db/connect.ts";
import type { Severity } from "../contract/alert-rule.ts";
import type { ChannelKind, DeliveryCode } from "../contract/channel.ts";
import type { Locale } from "../contract/diagnosis.ts";
import type { ChannelSettings } from "./config.ts";

/** A channel of a project. */
export interface ChannelKey {
  readonly projectId: number;
  readonly channelId: number;
}

export interface ChannelRow {
  readonly projectId: number;
  readonly id: number;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly locale: Locale;
  readonly leastSeverity: Severity;
  readonly isEnabled: boolean;
  readonly settings: ChannelSettings;
  readonly createdAt: Date;
  readonly tokens: number | null;
  readonly tokensAt: Date | null;
  readonly pausedUntil: Date | null;
  readonly failingSince: Date | null;
  readonly failureCount: number;
  readonly brokenSince: Date | null;
  readonly lastOkAt: Date | null;
  readonly lastFailure: DeliveryCode | null;
}

const COLUMNS = `
  c.project_id as "projectId", c.id, c.name, c.kind, c.locale, c.least_severity as "leastSeverity",
  c.is_enabled as "isEnabled", c.settings, c.created_at as "createdAt", c.tokens, c.tokens_at as "tokensAt",
  c.paused_until as "pausedUntil", c.failing_since as "failingSince", c.failure_count as "failureCount",
  c.broken_since as "brokenSince", c.last_ok_at as "lastOkAt", c.last_failure as "lastFailure"`;

export async function listChannels(
  sql: ISql,
  projectId: number,
): Promise<(ChannelRow & { readonly waiting: number })[]> {
  return sql<(ChannelRow & { waiting: number })[]>`
    select ${sql.unsafe(COLUMNS)},
           (select count(*)::int from notification n
             where n.project_id = c.project_id and n.channel_id = c.id and n.state = 'waiting') as waiting
      from channel c
     where c.project_id = ${projectId}
     order by c.id`;
}

export async function findChannel(
  sql: ISql,
  { projectId, channelId }: ChannelKey,
): Promise<ChannelRow | null> {
  const [row] = await sql<ChannelRow[]>`
    select ${sql.unsafe(COLUMNS)} from channel c where c.project_id = ${projectId} and c.id = ${channelId}`;
  return row ?? null;
}

/** The channel, held until the transaction ends; notices may refer to it meanwhile. */
export async function lockChannel(tx: ISql, key: ChannelKey): Promise<ChannelRow | null> {
  return selectLocked(tx, key, tx``);
}

/** The same of one that nobody else holds. */
export async function tryLockChannel(tx: ISql, key: ChannelKey): Promise<ChannelRow | null> {
  return selectLocked(tx, key, tx`skip locked`);
}

async function selectLocked(tx: ISql, { projectId, channelId }: ChannelKey, whenHeld: ReturnType<ISql>) {
  const [row] = await tx<ChannelRow[]>`
    select ${tx.unsafe(COLUMNS)} from channel c
     where c.project_id = ${projectId} and c.id = ${channelId}
       for no key update ${whenHeld}`;
  return row ?? null;
}

export type ChannelParts = Pick<
  ChannelRow,
  "name" | "kind" | "locale" | "leastSeverity" | "isEnabled" | "settings"
>;

export async function insertChannel(
  tx: ISql,
  projectId: number,
  parts: ChannelParts,
  nowMs: number,
): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into channel (project_id, name, kind, locale, least_severity, is_enabled, settings, created_at)
    values (${projectId}, ${parts.name}, ${parts.kind}, ${parts.locale}, ${parts.leastSeverity}, ${parts.isEnabled},
            ${tx.json(parts.settings as never)}, ${new Date(nowMs)})
    returning id`;
  return row?.id ?? 0;
}

export async function updateChannel(
  tx: ISql,
  { projectId, channelId }: ChannelKey,
  parts: Omit<ChannelParts, "kind">,
): Promise<void> {
  await tx`
    update channel
       set name = ${parts.name}, locale = ${parts.locale}, least_severity = ${parts.leastSeverity},
           is_enabled = ${parts.isEnabled}, settings = ${tx.json(parts.settings as never)}
     where project_id = ${projectId} and id = ${channelId}`;
}

export async function deleteChannel(tx: ISql, { projectId, channelId }: ChannelKey): Promise<void> {
  await tx`delete from channel where project_id = ${projectId} and id = ${channelId}`;
}

export async function saveTokens(
  tx: ISql,
  { projectId, channelId }: ChannelKey,
  tokens: number,
  nowMs: number,
): Promise<void> {
  await tx`
    update channel set tokens = ${tokens}, tokens_at = ${new Date(nowMs)}
     where project_id = ${projectId} and id = ${channelId}`;
}

/** The channel works: what waits for it is due now. */
export async function noteSuccess(
  tx: ISql,
  { projectId, channelId }: ChannelKey,
  { nowMs, pausedUntilMs }: { nowMs: number; pausedUntilMs: number | null },
): Promise<void> {
  const now = new Date(nowMs);
  await tx`
    update channel
       set last_ok_at = ${now}, failing_since = null, failure_count = 0, broken_since = null, last_failure = null,
           paused_until = ${pausedUntilMs === null ? null : new Date(pausedUntilMs)}
     where project_id = ${projectId} and id = ${channelId}`;
}

export async function noteFailure(
  tx: ISql,
  { projectId, channelId }: ChannelKey,
  failure: {
    readonly code: DeliveryCode;
    readonly nowMs: number;
    readonly pausedUntilMs: number | null;
    readonly isBroken: boolean;
    readonly isEnabled: boolean;
  },
): Promise<void> {
  const now = new Date(failure.nowMs);
  await tx`
    update channel
       set failing_since = coalesce(failing_since, ${now}), failure_count = failure_count + 1,
           last_failure = ${failure.code}, is_enabled = ${failure.isEnabled},
           broken_since = case when ${failure.isBroken} then coalesce(broken_since, ${now}) else broken_since end,
           paused_until = ${failure.pausedUntilMs === null ? null : new Date(failure.pausedUntilMs)}
     where project_id = ${projectId} and id = ${channelId}`;
}

/** Another channel that works, by which people can be told: the one that delivered last. */
export async function findWorkingChannel(
  tx: ISql,
  { projectId, channelId }: ChannelKey,
  kinds: readonly ChannelKind[],
): Promise<number | null> {
  const [row] = await tx<{ id: number }[]>`
    select id from channel
     where project_id = ${projectId} and id <> ${channelId} and is_enabled and broken_since is null
       and kind = any(${[...kinds]}::text[])
     order by failing_since is null desc, kind = 'webhook', last_ok_at desc nulls last, id
     limit 1`;
  return row?.id ?? null;
}

export interface ProjectWords {
  readonly slug: string;
  readonly name: string;
  readonly timeZone: string;
}

export async function getProjectWords(sql: ISql, projectId: number): Promise<ProjectWords> {
  const [row] = await sql<ProjectWords[]>`
    select slug, name, time_zone as "timeZone" from project where id = ${projectId}`;
  if (row === undefined) throw new Error("the project of a channel is gone");
  return row;
}
