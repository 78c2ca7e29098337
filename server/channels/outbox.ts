import { randomUUID } from "node:crypto";
import type { ISql } from "../../db/connect.ts";
import type { Severity } from "../contract/alert-rule.ts";
import type { ChannelKind } from "../contract/channel.ts";
import type { Notice } from "../contract/notice.ts";
import { toCleanJson } from "./cut.ts";
import { isSevereEnough, takesNotice } from "./takes.ts";

export interface EnqueuedNotice {
  readonly projectId: number;
  readonly notice: Notice;
  /** Ids; `null`: every enabled channel whose least severity lets it through. */
  readonly channels: readonly number[] | null;
  readonly nowMs: number;
}

/**
 * Puts a notice into the outbox, once for each channel that takes it. To be called in the transaction that makes true
 * what the notice says: both come, or none. The `deliveries` job sends it within seconds after the commit.
 *
 * Channels that are switched off, and ids that are not the project's, are left out.
 */
export async function enqueueNotice(
  tx: ISql,
  { projectId, notice, channels, nowMs }: EnqueuedNotice,
): Promise<void> {
  // Held until the commit, so that ids ascend in the order in which notices of a channel become visible.
  const rows = await tx<{ id: number; kind: ChannelKind; leastSeverity: Severity }[]>`
    select id, kind, least_severity as "leastSeverity"
      from channel
     where project_id = ${projectId} and is_enabled
       and (${channels === null} or id = any(${[...(channels ?? [])]}::int[]))
     order by id
       for no key update`;
  const takers = rows.filter(
    ({ kind, leastSeverity }) =>
      takesNotice(kind, notice) && (channels !== null || isSevereEnough(notice.severity, leastSeverity)),
  );
  for (const { id } of takers) await insertNotification(tx, { projectId, channelId: id, notice, nowMs });
}

/** Puts a notice into the outbox of one channel. */
export async function insertNotification(
  tx: ISql,
  {
    projectId,
    channelId,
    notice,
    nowMs,
  }: { projectId: number; channelId: number; notice: Notice; nowMs: number },
): Promise<{ readonly id: number; readonly messageId: string }> {
  const now = new Date(nowMs);
  const messageId = randomUUID();
  const [row] = await tx<{ id: number }[]>`
    insert into notification (project_id, channel_id, notice, message_id, state, created_at, next_try_at)
    values (${projectId}, ${channelId}, ${toCleanJson(notice)}::text::jsonb, ${messageId}, 'waiting', ${now}, ${now})
    returning id::float8 as id`;
  if (row === undefined) throw new Error("the notification was not stored");
  return { id: row.id, messageId };
}
