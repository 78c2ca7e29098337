import { createHmac, randomBytes } from "node:crypto";
import { cut, toCleanJson } from "../cut.ts";
import { judgeStatus, maskUrl, post, readUrl } from "./http.ts";
import { type ChannelConfig, DAY_MS, type Envelope, type Kind, type Net, type TryResult } from "./kind.ts";

const PREFIX = "whsec_";

/** A secret of Standard Webhooks: 32 random bytes. */
export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString("base64");
}

/** Whether it is one of Standard Webhooks: base64 of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const key = Buffer.from(text.slice(PREFIX.length), "base64");
  return key.length >= 24 && key.length <= 64 && key.toString("base64") === text.slice(PREFIX.length);
}

/**
 * The header `webhook-signature`: one signature for each secret, so that a receiver who knows either believes it.
 * Standard Webhooks 1.0.0: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param seconds of the try, not of the message
 */
export function signWebhook(secrets: readonly string[], id: string, seconds: number, body: string): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
    })
    .join(" ");
}

/** Recommended is to stay under 20 kB. */
const MOST_BYTES = 20_000;
const MOST_MARKDOWN = 6_000;

const TYPES = { channelBroken: "channel.broken" } as const;

function typeOf({ notice }: Envelope): string {
  if (notice.kind === "alert") return `alert.${notice.event}`;
  return notice.event === "channelBroken" ? TYPES.channelBroken : notice.event;
}

/** All facts, and the words that people would read. */
function toBody(envelope: Envelope): string {
  const { notice, message } = envelope;
  const { title, summary, cause, doNow, markdown, link } = message;
  const words = {
    title,
    ...(summary === "" ? {} : { summary }),
    ...(cause === null ? {} : { cause }),
    ...(doNow === null ? {} : { doNow }),
    ...(markdown === null ? {} : { markdown: cut(markdown, MOST_MARKDOWN) }),
  };
  const write = (facts: object) =>
    toCleanJson({
      type: typeOf(envelope),
      timestamp: notice.at,
      data: { ...facts, words, url: link.url },
    });
  const { kind: _, event: __, view: ___, at: ____, ...facts } = notice;
  const { text: _____, ...rest } = "text" in facts ? facts : { ...facts, text: null };
  const whole = write(rest);
  if (Buffer.byteLength(whole) <= MOST_BYTES) return whole;
  // What can be long: a report's figures, and alerts that one stands for.
  const { project, severity } = notice;
  const short = "folded" in rest ? { ...rest, folded: rest.folded.slice(0, 20) } : { project, severity };
  return write({ ...short, isCut: true });
}

/** Signed by Standard Webhooks. `webhook-id` is the same at each try: a receiver tells a repetition by it. */
export const webhook: Kind = {
  kind: "webhook",
  label: "Webhook",
  needs: [],
  takes: ["signingSecret", "authorization"],
  limit: { burst: 20, perMinute: 300 },
  isDigested: false,
  giveUpMs: 3 * DAY_MS,
  firstPauseMs: 5_000,
  recognises: () => false,
  readAddress: readUrl,
  mask: maskUrl,
  deliver: (envelope, config, net) => postSigned(net, config, { ...envelope, body: toBody(envelope) }),
};

/** Sends a message as Standard Webhooks has it. */
export function postSigned(
  net: Net,
  { address, authorization, signingSecrets }: ChannelConfig,
  { messageId, nowMs, body }: Pick<Envelope, "messageId" | "nowMs"> & { readonly body: string },
): Promise<TryResult> {
  const seconds = Math.floor(nowMs / 1_000);
  const headers = {
    ...(authorization === null ? {} : { authorization }),
    "webhook-id": messageId,
    "webhook-timestamp": String(seconds),
    ...(signingSecrets.length === 0
      ? {}
      : { "webhook-signature": signWebhook(signingSecrets, messageId, seconds, body) }),
  };
  return post(net, { url: address, body, headers }, (answer) => judgeStatus(answer, nowMs));
}
