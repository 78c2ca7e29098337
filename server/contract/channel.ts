import { z } from "zod";
import { SEVERITIES } from "./alert-rule.ts";
import { locale } from "./diagnosis.ts";
import { email } from "./people.ts";
import * as query from "./query.ts";
import { instant } from "./share.ts";

export const CHANNEL_KINDS = [
  "slack",
  "discord",
  "teams",
  "feishu",
  "dingtalk",
  "wecom",
  "email",
  "pagerduty",
  "webhook",
  "alertmanager",
] as const;
export const channelKind = z.enum(CHANNEL_KINDS);

/** What a try to deliver came to. */
export const DELIVERY_CODES = [
  "address_refused",
  "host_not_found",
  "timeout",
  "tls",
  "unreachable",
  "redirected",
  "rate_limited",
  "receiver_error",
  "gone",
  "address_unknown",
  "not_allowed",
  "bad_signature",
  "keyword_missing",
  "message_refused",
  "not_understood",
  "secret_unreadable",
  "interrupted",
  "too_late",
] as const;
export const deliveryCode = z.enum(DELIVERY_CODES);

/** What else a kind wants to know or can use beside its address. */
export const CHANNEL_FIELDS = ["signingSecret", "authorization", "keyword", "to", "from"] as const;
export const channelField = z.enum(CHANNEL_FIELDS);

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u, "must be without control characters");

const settings = {
  name: line(100),
  locale: z.enum(["en", "zh"]).describe("Language of its messages."),
  leastSeverity: z.enum(SEVERITIES).describe("Takes notices of this severity and above."),
  isEnabled: z.boolean(),
  address: line(2_048).describe(
    "The webhook's URL, PagerDuty's integration key, or an SMTP server as smtps://user:password@host:465.",
  ),
  signingSecret: line(500).describe(
    "Feishu's and DingTalk's secret of the signature; of a webhook one of your own in place of the one that is made.",
  ),
  authorization: line(1_000).describe("Value of the header `Authorization`, for webhooks that want one."),
  keyword: line(50).describe("A word that Feishu or DingTalk want in each message."),
  to: z.array(email).min(1).max(20),
  from: line(300).describe("Sender of e-mails: an address, or Name <address>."),
};

export const newChannel = z
  .strictObject({
    address: settings.address,
    kind: channelKind.optional().describe("Told from the address when left out; a plain URL is a webhook."),
    name: settings.name.optional().describe("Made of kind and address when left out."),
    locale: settings.locale.default("en"),
    leastSeverity: settings.leastSeverity.default("info"),
    isEnabled: settings.isEnabled.default(true),
    signingSecret: settings.signingSecret.optional(),
    authorization: settings.authorization.optional(),
    keyword: settings.keyword.optional(),
    to: settings.to.optional().describe("Whom e-mails go to."),
    from: settings.from.optional(),
  })
  .meta({ id: "NewChannel" });

export const channelChange = z
  .strictObject({
    address: settings.address.optional().describe("Of the same kind."),
    name: settings.name.optional(),
    locale: settings.locale.optional(),
    leastSeverity: settings.leastSeverity.optional(),
    isEnabled: settings.isEnabled.optional(),
    signingSecret: settings.signingSecret.nullable().optional().describe("null: messages are not signed."),
    authorization: settings.authorization.nullable().optional(),
    keyword: settings.keyword.nullable().optional(),
    to: settings.to.optional(),
    from: settings.from.optional(),
  })
  .meta({ id: "ChannelChange" });

export const channelRecord = z
  .object({
    id: z.int(),
    name: z.string(),
    kind: channelKind,
    locale: settings.locale,
    leastSeverity: settings.leastSeverity,
    isEnabled: z.boolean(),
    address: z.string().describe("Host and last characters: enough to tell channels apart."),
    isSigned: z.boolean(),
    hasAuthorization: z.boolean(),
    keyword: z.string().nullable(),
    to: z.array(z.string()),
    from: z.string().nullable(),
    state: z
      .enum(["unused", "ok", "failing", "broken"])
      .describe("failing: the last tries were in vain. broken: for so long that it was told elsewhere."),
    waiting: z.int().describe("Notices in its outbox."),
    pausedUntil: instant.nullable().describe("Nothing is sent before."),
    lastOkAt: instant.nullable(),
    failingSince: instant.nullable(),
    brokenSince: instant.nullable(),
    lastFailure: z
      .object({ code: deliveryCode, hint: z.string() })
      .nullable()
      .describe("Since the last success."),
    createdAt: instant,
  })
  .meta({ id: "Channel" });

export const channelsAnswer = z.object({ channels: z.array(channelRecord) }).meta({ id: "Channels" });

export const createdChannel = channelRecord
  .extend({ signingSecret: z.string().nullable().describe("Made for a webhook: shown this once.") })
  .meta({ id: "CreatedChannel" });

export const channelRotation = z
  .strictObject({
    overlapHours: z
      .int()
      .min(0)
      .max(168)
      .default(24)
      .describe("For so long messages are signed with both secrets."),
  })
  .meta({ id: "ChannelRotation" });

export const rotatedChannel = z
  .object({
    signingSecret: z.string().describe("The new one: shown this once."),
    bothUntil: instant.describe("Until then messages are signed with the old one, too."),
  })
  .meta({ id: "RotatedChannel" });

/** In a body and not in the query: it is as good as a password. */
export const pastedAddress = z.strictObject({ address: settings.address }).meta({ id: "PastedAddress" });

export const toldKind = z
  .object({
    kind: channelKind,
    address: z.string().describe("As it is going to be shown."),
    needs: z.array(channelField).describe("Must be given."),
    takes: z.array(channelField).describe("May be given."),
  })
  .meta({ id: "ToldKind" });

export const channelTest = z
  .object({
    isDelivered: z.boolean(),
    status: z.int().nullable().describe("HTTP or SMTP; null: there was no answer."),
    answer: z.string().describe("The receiver's own words, cut short."),
    code: deliveryCode.nullable(),
    hint: z.string().nullable().describe("What it means, and what to do."),
    durationMs: z.int(),
  })
  .meta({ id: "ChannelTest" });

export const deliveryRecord = z
  .object({
    id: z.int(),
    at: instant,
    notification: z.int().nullable().describe("null: a test."),
    title: z.string().describe("Of what was sent."),
    try: z.int().describe("From 1."),
    outcome: z
      .enum(["delivered", "retried", "failed", "unknown"])
      .describe("retried: it is tried again. unknown: the server stopped before the answer came."),
    requestBytes: z.int(),
    durationMs: z.int(),
    status: z.int().nullable(),
    answer: z.string(),
    code: deliveryCode.nullable(),
    hint: z.string().nullable(),
    nextTryAt: instant.nullable(),
  })
  .meta({ id: "Delivery" });

export const deliveriesAnswer = z
  .object({ deliveries: z.array(deliveryRecord).describe("Newest first."), next: z.string().nullable() })
  .meta({ id: "Deliveries" });

export const channelsQuery = z.object({ ...query.project, locale });
export const deliveriesQuery = z.object({
  ...query.project,
  locale,
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(20).optional().describe("The `next` of the page before."),
});

export type ChannelKind = z.infer<typeof channelKind>;
export type ChannelField = z.infer<typeof channelField>;
export type DeliveryCode = z.infer<typeof deliveryCode>;
export type NewChannel = z.infer<typeof newChannel>;
export type ChannelChange = z.infer<typeof channelChange>;
export type ChannelRecord = z.infer<typeof channelRecord>;
export type Channels = z.infer<typeof channelsAnswer>;
export type CreatedChannel = z.infer<typeof createdChannel>;
export type ToldKind = z.infer<typeof toldKind>;
export type ChannelTest = z.infer<typeof channelTest>;
export type DeliveryRecord = z.infer<typeof deliveryRecord>;
export type Deliveries = z.infer<typeof deliveriesAnswer>;
