import { randomUUID } from "node:crypto";
import type { Sql } from "../../db/connect.ts";
import type { ChannelTest } from "../contract/channel.ts";
import type { Locale } from "../contract/diagnosis.ts";
import type { TextNotice } from "../contract/notice.ts";
import { type AttemptDeps, attemptDelivery } from "./attempt.ts";
import { getChannel } from "./channels.ts";
import { kindOf } from "./kinds/kinds.ts";
import { insertDelivery, makeDue } from "./outbox-queries.ts";
import {
  type ChannelKey,
  getProjectWords,
  lockChannel,
  noteSuccess,
  type ProjectWords,
  saveTokens,
} from "./queries.ts";
import { refill } from "./rate-limit.ts";
import { noteTrouble } from "./settle.ts";
import { channelWordsOf } from "./words/words.ts";

function testNotice({ slug, name }: ProjectWords, nowMs: number): TextNotice {
  return {
    kind: "text",
    event: "test",
    project: { slug, name },
    severity: "info",
    text: { en: channelWordsOf("en").test, zh: channelWordsOf("zh").test },
    data: {},
    at: new Date(nowMs).toISOString(),
    view: `/alerts/channels?project=${encodeURIComponent(slug)}`,
  };
}

/**
 * Sends a test message now, past what waits, and tells what was answered. A channel that works again sends what waits
 * for it, and what failed since it stopped to.
 *
 * @throws AppError 404
 */
export async function sendTest(
  deps: AttemptDeps & { readonly sql: Sql },
  key: ChannelKey,
  locale: Locale,
): Promise<ChannelTest> {
  const { sql, now } = deps;
  const channel = await getChannel(sql, key);
  const project = await getProjectWords(sql, key.projectId);
  const nowMs = now();
  const tried = await attemptDelivery(deps, {
    channel,
    project,
    notice: testNotice(project, nowMs),
    messageId: randomUUID(),
    isUncertain: false,
  });
  const code = tried.verdict.is === "delivered" ? null : tried.verdict.why;
  await sql.begin(async (tx) => {
    const held = await lockChannel(tx, key);
    if (held === null) return;
    const bucket = { tokens: held.tokens, atMs: held.tokensAt?.getTime() ?? null };
    await saveTokens(tx, key, Math.max(0, refill(bucket, kindOf(held.kind).limit, nowMs) - 1), nowMs);
    await insertDelivery(tx, {
      ...key,
      ...tried,
      notificationId: null,
      outcome: code === null ? "delivered" : "failed",
      tryNumber: 1,
      code,
      nextTryMs: null,
    });
    if (code === null) {
      await noteSuccess(tx, key, { nowMs, pausedUntilMs: null });
      await makeDue(tx, key, held.failingSince, nowMs);
    } else if (held.lastOkAt !== null || held.failingSince !== null) {
      // One that never worked is being set up: nobody else need hear of it.
      await noteTrouble(tx, { channel: held, project, tried, code, nowMs });
    }
  });
  return {
    isDelivered: code === null,
    status: tried.status,
    answer: tried.answer,
    code,
    hint: code === null ? null : channelWordsOf(locale).hints[code],
    durationMs: tried.durationMs,
  };
}
