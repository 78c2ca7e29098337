import type { ISql, Sql } from "../../db/connect.ts";
import type { DeliveryCode } from "../contract/channel.ts";
import type { TextNotice } from "../contract/notice.ts";
import type { Attempted } from "./attempt.ts";
import { pauseAfter } from "./backoff.ts";
import { type Claimed, TOO_LATE } from "./claim.ts";
import { MINUTE_MS } from "./kinds/kind.ts";
import { KINDS, kindOf } from "./kinds/kinds.ts";
import { insertNotification } from "./outbox.ts";
import { countWaiting, failWaiting, insertDelivery, markRetried, markSettled } from "./outbox-queries.ts";
import { createPhrases } from "./phrases.ts";
import {
  type ChannelRow,
  findWorkingChannel,
  lockChannel,
  noteFailure,
  noteSuccess,
  type ProjectWords,
} from "./queries.ts";
import { takesNotice } from "./takes.ts";
import { channelWordsOf } from "./words/words.ts";

/** A channel that has failed for so long, and so often, is told through another. */
const BROKEN_AFTER_MS = 15 * MINUTE_MS;
const BROKEN_AFTER_FAILURES = 3;
/** These no waiting mends. */
const BROKEN_AT_ONCE: ReadonlySet<DeliveryCode> = new Set([
  "address_refused",
  "redirected",
  "gone",
  "address_unknown",
  "not_allowed",
  "bad_signature",
  "keyword_missing",
  "secret_unreadable",
]);

/** Kinds by which people hear of a channel that does not work. */
const TELLING = KINDS.map(({ kind }) => kind).filter((kind) =>
  takesNotice(kind, { kind: "text", event: "channelBroken" }),
);

/** Writes down what a try came to, in one transaction with what follows from it. */
export async function settleTry(
  sql: Sql,
  claimed: Claimed,
  tried: Attempted,
  { nowMs, random }: { readonly nowMs: number; readonly random: number },
): Promise<void> {
  await sql.begin(async (tx) => {
    const key = { projectId: claimed.channel.projectId, channelId: claimed.channel.id };
    const channel = await lockChannel(tx, key);
    // It was removed meanwhile, and its outbox and log with it.
    if (channel === null) return;
    const { verdict } = tried;
    const next = decide(claimed, tried, { nowMs, random });
    await insertDelivery(tx, {
      ...key,
      notificationId: claimed.id,
      atMs: tried.atMs,
      outcome: next.outcome,
      tryNumber: claimed.tries,
      title: tried.title,
      durationMs: tried.durationMs,
      requestBytes: tried.requestBytes,
      status: tried.status,
      answer: tried.answer,
      code: next.code,
      nextTryMs: next.nextTryMs,
    });
    if (next.nextTryMs !== null) {
      const isUncertain = verdict.is === "retry" && verdict.isUncertain === true;
      await markRetried(tx, key.projectId, claimed.id, { nextTryMs: next.nextTryMs, isUncertain });
    } else {
      await markSettled(tx, key.projectId, claimed.id, next.code === null ? "sent" : "failed", nowMs);
    }
    if (next.code === null) {
      const pauseMs = (verdict.is === "delivered" && verdict.pauseMs) || null;
      await noteSuccess(tx, key, { nowMs, pausedUntilMs: pauseMs === null ? null : nowMs + pauseMs });
    } else await noteTrouble(tx, { channel, project: claimed.project, tried, code: next.code, nowMs });
  });
}

interface Decision {
  readonly outcome: "delivered" | "retried" | "failed";
  /** `null`: delivered. */
  readonly code: DeliveryCode | null;
  /** `null`: not tried again. */
  readonly nextTryMs: number | null;
}

function decide(
  { channel, createdMs, tries }: Claimed,
  { verdict }: Attempted,
  { nowMs, random }: { readonly nowMs: number; readonly random: number },
): Decision {
  if (verdict.is === "delivered") return { outcome: "delivered", code: null, nextTryMs: null };
  if (verdict.is === "failed") return { outcome: "failed", code: verdict.why, nextTryMs: null };
  const kind = kindOf(channel.kind);
  const pauseMs = Math.max(verdict.afterMs ?? 0, pauseAfter(tries, kind.firstPauseMs, random));
  const nextTryMs = nowMs + pauseMs;
  return nextTryMs - createdMs > kind.giveUpMs
    ? { outcome: "failed", code: TOO_LATE, nextTryMs: null }
    : { outcome: "retried", code: verdict.why, nextTryMs };
}

export interface Trouble {
  readonly channel: ChannelRow;
  readonly project: ProjectWords;
  readonly tried: Attempted;
  readonly code: DeliveryCode;
  readonly nowMs: number;
}

/** Notes a failure of the channel; the first time that it is a lasting one, another channel tells people. */
export async function noteTrouble(
  tx: ISql,
  { channel, project, tried, code, nowMs }: Trouble,
): Promise<void> {
  const key = { projectId: channel.projectId, channelId: channel.id };
  const sinceMs = channel.failingSince?.getTime() ?? nowMs;
  const isLasting = nowMs - sinceMs >= BROKEN_AFTER_MS && channel.failureCount + 1 >= BROKEN_AFTER_FAILURES;
  const isBroken = isLasting || BROKEN_AT_ONCE.has(code);
  const { verdict } = tried;
  const saidMs = verdict.is === "retry" ? verdict.afterMs : null;
  const isOver = code === "gone";
  await noteFailure(tx, key, {
    code,
    nowMs,
    pausedUntilMs: saidMs === null ? null : nowMs + saidMs,
    isBroken,
    isEnabled: channel.isEnabled && !isOver,
  });
  if (isBroken && channel.brokenSince === null) {
    const other = await findWorkingChannel(tx, key, TELLING);
    const waiting = await countWaiting(tx, key);
    if (other !== null) {
      const notice = tellBroken({ channel, project, code, sinceMs, waiting, nowMs });
      await insertNotification(tx, { ...key, channelId: other, notice, nowMs });
    }
  }
  if (isOver) await failWaiting(tx, key, nowMs);
}

function tellBroken({
  channel,
  project,
  code,
  sinceMs,
  waiting,
  nowMs,
}: {
  readonly channel: ChannelRow;
  readonly project: ProjectWords;
  readonly code: DeliveryCode;
  readonly sinceMs: number;
  readonly waiting: number;
  readonly nowMs: number;
}): TextNotice {
  const since = new Date(sinceMs).toISOString();
  const word = (locale: "en" | "zh") => {
    const words = channelWordsOf(locale);
    const { moment } = createPhrases(locale, project.timeZone);
    const name = channel.name.replace(/[*`[\]]/g, "");
    return words.broken(name, words.hints[code], moment(since), waiting);
  };
  return {
    kind: "text",
    event: "channelBroken",
    project: { slug: project.slug, name: project.name },
    severity: "warning",
    text: { en: word("en"), zh: word("zh") },
    data: { channel: { id: channel.id, name: channel.name, kind: channel.kind }, code, since, waiting },
    at: new Date(nowMs).toISOString(),
    view: `/alerts/channels?project=${encodeURIComponent(project.slug)}`,
  };
}
