import type { ISql, Sql } from "../../db/connect.ts";
import type { DeliveryCode } from "../contract/channel.ts";
import type { Notice } from "../contract/notice.ts";
import { sumUp } from "./digest.ts";
import type { Kind } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import { insertNotification } from "./outbox.ts";
import {
  countWaiting,
  insertDelivery,
  listWaiting,
  markDigested,
  markSending,
  markSettled,
  type WaitingRow,
} from "./outbox-queries.ts";
import {
  type ChannelKey,
  type ChannelRow,
  getProjectWords,
  type ProjectWords,
  saveTokens,
  tryLockChannel,
} from "./queries.ts";
import { refill, roomFor } from "./rate-limit.ts";

/** A notification that is this server's to send. */
export interface Claimed {
  readonly channel: ChannelRow;
  readonly project: ProjectWords;
  readonly id: number;
  readonly notice: Notice;
  readonly messageId: string;
  readonly createdMs: number;
  /** This one included. */
  readonly tries: number;
  readonly isUncertain: boolean;
}

export const TOO_LATE: DeliveryCode = "too_late";
const INTERRUPTED: DeliveryCode = "interrupted";

/** Longer than any try takes: whoever has been sending for so long is dead. */
export const TAKEOVER_MS = 45_000;
/** Of what waits, so many are summed up in one digest at the most. */
const MOST_DIGESTED = 1_000;

/**
 * Takes the first thing that waits for the channel, so that no other server sends it, and writes down that it is being
 * sent before it is: after a crash it is known that nobody knows.
 *
 * @returns `null` when there is nothing to send now
 */
export function claimNext(sql: Sql, key: ChannelKey, nowMs: number): Promise<Claimed | null> {
  return sql.begin(async (tx) => {
    const channel = await tryLockChannel(tx, key);
    if (channel === null || !channel.isEnabled) return null;
    if (channel.pausedUntil !== null && channel.pausedUntil.getTime() > nowMs) return null;
    const kind = kindOf(channel.kind);
    const project = await getProjectWords(tx, key.projectId);
    await dropTooLate(tx, { key, kind, nowMs });
    const [head] = await listWaiting(tx, key, 1);
    if (head === undefined || isBusy(head, nowMs)) return null;
    const tokens = refill(
      { tokens: channel.tokens, atMs: channel.tokensAt?.getTime() ?? null },
      kind.limit,
      nowMs,
    );
    if (tokens < 1) return null;
    const isTakeover = head.sendingAt !== null;
    if (isTakeover) await noteInterrupted(tx, key, head);
    const isUncertain = head.isUncertain || isTakeover;
    const next = isUncertain ? head : await digestFlood(tx, { key, kind, head, tokens, project, nowMs });
    await markSending(tx, key.projectId, next.id, { nowMs, isUncertain });
    await saveTokens(tx, key, tokens - 1, nowMs);
    return {
      channel,
      project,
      id: next.id,
      notice: next.notice,
      messageId: next.messageId,
      createdMs: next.createdAt.getTime(),
      tries: next.tryCount + 1,
      isUncertain,
    };
  });
}

/** Whether it is not to be sent now: it waits after a failure, or another server is sending it. */
function isBusy({ nextTryAt, sendingAt }: WaitingRow, nowMs: number): boolean {
  return sendingAt === null ? nextTryAt.getTime() > nowMs : nowMs - sendingAt.getTime() < TAKEOVER_MS;
}

interface Outlook {
  readonly key: ChannelKey;
  readonly kind: Kind;
  readonly nowMs: number;
}

/** What is so old that it would mislead, as after the channel was off for days. */
async function dropTooLate(tx: ISql, { key, kind, nowMs }: Outlook): Promise<void> {
  for (;;) {
    const [head] = await listWaiting(tx, key, 1);
    if (head === undefined || nowMs - head.createdAt.getTime() <= kind.giveUpMs) return;
    await markSettled(tx, key.projectId, head.id, "failed", nowMs);
    await insertDelivery(tx, {
      ...key,
      ...NOTHING_SENT,
      notificationId: head.id,
      atMs: nowMs,
      outcome: "failed",
      tryNumber: head.tryCount,
      title: titleOf(head.notice),
      code: TOO_LATE,
    });
  }
}

const NOTHING_SENT = { durationMs: 0, requestBytes: 0, status: null, answer: "", nextTryMs: null } as const;

/** What stands in the log of something that was not laid out for its channel. */
function titleOf(notice: Notice): string {
  return notice.kind === "text" ? notice.text.en.title : notice.rule.name;
}

async function noteInterrupted(tx: ISql, key: ChannelKey, head: WaitingRow): Promise<void> {
  await insertDelivery(tx, {
    ...key,
    ...NOTHING_SENT,
    notificationId: head.id,
    atMs: head.sendingAt?.getTime() ?? 0,
    outcome: "unknown",
    tryNumber: head.tryCount,
    title: titleOf(head.notice),
    code: INTERRUPTED,
  });
}

const isSummedUp = ({ notice, isUncertain }: WaitingRow) =>
  !isUncertain && (notice.kind === "alert" || notice.event === "channelBroken" || notice.event === "digest");

/** When more waits than the limit lets through, one message in place of it. */
async function digestFlood(
  tx: ISql,
  {
    key,
    kind,
    head,
    tokens,
    project,
    nowMs,
  }: Outlook & { readonly head: WaitingRow; readonly tokens: number; readonly project: ProjectWords },
): Promise<WaitingRow> {
  if (!kind.isDigested || !isSummedUp(head)) return head;
  if ((await countWaiting(tx, key)) <= roomFor(tokens, kind.limit)) return head;
  const flood = (await listWaiting(tx, key, MOST_DIGESTED)).filter(isSummedUp);
  const [first, ...others] = flood.map(({ notice }) => notice);
  if (first === undefined || others.length < roomFor(tokens, kind.limit)) return head;
  const notice = sumUp([first, ...others], project.timeZone);
  const { id, messageId } = await insertNotification(tx, { ...key, notice, nowMs });
  const ids = flood.map((row) => row.id);
  await markDigested(tx, key.projectId, ids, id, nowMs);
  // It is sent in place of the first: what waits behind that one, such as a report, comes after it.
  return { ...head, id, messageId, notice, createdAt: new Date(nowMs), tryCount: 0, sendingAt: null };
}
