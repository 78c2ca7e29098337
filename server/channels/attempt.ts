import type { Logger } from "pino";
import type { Notice } from "../contract/notice.ts";
import { SecretError, type Secrets } from "../secrets/secrets.ts";
import { findChannelSecrets, hideSecrets, toConfig } from "./config.ts";
import { cut, toLine } from "./cut.ts";
import type { Net, Verdict } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import { composeMessage } from "./message.ts";
import type { ChannelRow, ProjectWords } from "./queries.ts";

export interface AttemptDeps {
  readonly secrets: Secrets;
  readonly net: Net;
  /** Where people reach the pages, without a slash at the end. */
  readonly publicUrl: () => string;
  readonly now: () => number;
  readonly log: Logger;
}

/** One try, as the log tells it. */
export interface Attempted {
  readonly verdict: Verdict;
  readonly title: string;
  readonly atMs: number;
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly status: number | null;
  /** The receiver's words, cut short and without secrets. */
  readonly answer: string;
}

const MOST_ANSWER = 500;

/** Lays a notice out for a channel and sends it. Never throws for anything that a receiver or a secret does. */
export async function attemptDelivery(
  { secrets, net, publicUrl, now, log }: AttemptDeps,
  work: {
    readonly channel: ChannelRow;
    readonly project: ProjectWords;
    readonly notice: Notice;
    readonly messageId: string;
    readonly isUncertain: boolean;
  },
): Promise<Attempted> {
  const { channel, project, notice, messageId } = work;
  const kind = kindOf(channel.kind);
  const atMs = now();
  const message = composeMessage(notice, {
    locale: channel.locale,
    zone: project.timeZone,
    publicUrl: publicUrl(),
    nowMs: atMs,
    // A machine tells a repetition by its id; people are told.
    mayRepeat: work.isUncertain && kind.isDigested,
  });
  const common = { title: cut(toLine(message.title), 300), atMs };
  const unsent = (
    why: "secret_unreadable" | "message_refused",
    answer: string,
    isLost: boolean,
  ): Attempted => ({
    ...common,
    verdict: isLost ? { is: "failed", why } : { is: "retry", why, afterMs: null },
    durationMs: 0,
    requestBytes: 0,
    status: null,
    answer,
  });
  try {
    const stored = await findChannelSecrets(secrets, channel.projectId, channel.id);
    if (stored === null) return unsent("secret_unreadable", "", false);
    const config = toConfig(channel, stored, atMs);
    const result = await kind.deliver(
      { notice, message, messageId, publicUrl: publicUrl(), nowMs: atMs },
      config,
      net,
    );
    return {
      ...common,
      verdict: result.verdict,
      durationMs: Math.max(0, now() - atMs),
      requestBytes: result.requestBytes,
      status: result.status,
      answer: cut(toStorable(hideSecrets(result.answer, config)).trim(), MOST_ANSWER),
    };
  } catch (error) {
    if (error instanceof SecretError) return unsent("secret_unreadable", error.message, false);
    // One that cannot be laid out must not hold up what comes after it.
    log.error({ err: error, channel: channel.id, kind: channel.kind }, "a notice could not be sent");
    return unsent("message_refused", "", true);
  }
}

/** PostgreSQL cannot hold a NUL, and a column is no place for what moves a cursor. */
const toStorable = (text: string) => text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, " ");
