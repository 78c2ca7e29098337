import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Sql } from "../../db/connect.ts";
import { pauseAfter } from "../channels/backoff.ts";
import { findChannelSecrets, hideSecrets, toConfig } from "../channels/config.ts";
import { cut, toCleanJson } from "../channels/cut.ts";
import { type ChannelConfig, DAY_MS, type Net, type TryResult } from "../channels/kinds/kind.ts";
import { postSigned } from "../channels/kinds/webhook.ts";
import { insertDelivery } from "../channels/outbox-queries.ts";
import { type ChannelKey, type ChannelRow, findChannel, getProjectWords } from "../channels/queries.ts";
import { SecretError, type Secrets } from "../secrets/secrets.ts";
import {
  type ClaimedMessage,
  claimMessage,
  deleteMessage,
  deleteOrphans,
  listDueChannels,
  postponeMessage,
} from "./callback-queries.ts";

export interface CallbackDeps {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly net: Net;
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Logger;
}

/** Of one message. */
const MOST_JOBS = 50;
/** Messages of one channel in one run; the next one goes on. */
const MOST_MESSAGES = 100;
/** Longer than any try takes: then whoever sent it is dead. */
const TAKEOVER_MS = 45_000;
const FIRST_PAUSE_MS = 5_000;
const GIVE_UP_MS = 3 * DAY_MS;

/**
 * Tells webhooks of finished jobs, many in one message, signed by Standard Webhooks. A message is sent again with the same
 * id and the same jobs until it is taken: at least once. @returns messages that were sent
 */
export async function runCallbacks(deps: CallbackDeps, nowMs: number): Promise<number> {
  await deleteOrphans(deps.sql);
  const channels = await listDueChannels(deps.sql, nowMs);
  const counts = await Promise.all(channels.map((key) => drain(deps, key)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function drain(deps: CallbackDeps, key: ChannelKey): Promise<number> {
  const { sql, now, log } = deps;
  const channel = await findChannel(sql, key);
  if (channel === null) return 0;
  const { slug } = await getProjectWords(sql, key.projectId);
  for (let count = 0; count < MOST_MESSAGES; count++) {
    const nowMs = now();
    const claimed = await sql.begin((tx) =>
      claimMessage(tx, key, { newId: randomUUID(), most: MOST_JOBS, nowMs, untilMs: nowMs + TAKEOVER_MS }),
    );
    if (claimed === null) return count;
    const tried = await trySend(deps, channel, slug, claimed, nowMs).catch((error: unknown) => {
      log.error({ err: error, channel: key.channelId }, "a message of finished jobs could not be sent");
      return null;
    });
    // Not settled: it is tried again when its time is over.
    if (tried === null || !(await settle(deps, key, claimed, tried, nowMs))) return count;
  }
  return MOST_MESSAGES;
}

async function trySend(
  { secrets, net }: CallbackDeps,
  channel: ChannelRow,
  slug: string,
  { messageId, jobs }: ClaimedMessage,
  nowMs: number,
): Promise<TryResult> {
  let config: ChannelConfig;
  try {
    const stored = await findChannelSecrets(secrets, channel.projectId, channel.id);
    if (stored === null) return unsent("");
    config = toConfig(channel, stored, nowMs);
  } catch (error) {
    if (error instanceof SecretError) return unsent(error.message);
    throw error;
  }
  const body = toCleanJson({
    type: "jobs.finished",
    timestamp: new Date(nowMs).toISOString(),
    data: { project: slug, jobs },
  });
  const result = await postSigned(net, config, { messageId, nowMs, body });
  return { ...result, answer: cut(hideSecrets(result.answer, config), MOST_ANSWER) };
}

const MOST_ANSWER = 500;

const unsent = (answer: string): TryResult => ({
  verdict: { is: "retry", why: "secret_unreadable", afterMs: null },
  status: null,
  answer,
  requestBytes: 0,
});

/** @returns whether it was taken, so that the next one may follow */
async function settle(
  { sql, random, now }: CallbackDeps,
  key: ChannelKey,
  { messageId, jobs, tries, createdAt }: ClaimedMessage,
  { verdict, status, answer, requestBytes }: TryResult,
  atMs: number,
): Promise<boolean> {
  const nextMs =
    verdict.is === "retry"
      ? atMs + Math.max(verdict.afterMs ?? 0, pauseAfter(tries, FIRST_PAUSE_MS, random()))
      : null;
  const isTooLate = nextMs !== null && nextMs - createdAt.getTime() > GIVE_UP_MS;
  const nextTryMs = isTooLate ? null : nextMs;
  const isTaken = verdict.is === "delivered";
  const code = isTaken ? null : isTooLate ? ("too_late" as const) : verdict.why;
  await sql.begin(async (tx) => {
    if (nextTryMs === null) await deleteMessage(tx, key.projectId, messageId);
    else await postponeMessage(tx, key.projectId, messageId, nextTryMs);
    await insertDelivery(tx, {
      ...key,
      notificationId: null,
      atMs,
      outcome: isTaken ? "delivered" : nextTryMs === null ? "failed" : "retried",
      tryNumber: tries,
      title: `jobs.finished (${jobs.length})`,
      durationMs: Math.max(0, now() - atMs),
      requestBytes,
      status,
      answer: answer.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, " "),
      code,
      nextTryMs,
    });
  });
  return isTaken;
}
