import { createHmac } from "node:crypto";
import { SMTPServer } from "smtp-server";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { ChannelConfig, Envelope, TryResult, Verdict } from "../../server/channels/kinds/kind.ts";
import { kindOf } from "../../server/channels/kinds/kinds.ts";
import { makeWebhookSecret } from "../../server/channels/kinds/webhook.ts";
import { composeMessage } from "../../server/channels/message.ts";
import { createNet } from "../../server/channels/net.ts";
import { CHANNEL_KINDS, type ChannelKind } from "../../server/contract/channel.ts";
import { parseAllowList } from "../../server/outgoing/allow-list.ts";
import { anAlert } from "../support/notices.ts";
import { type Reply, startReceiver } from "../support/receiver.ts";

const receiver = await startReceiver();
beforeEach(() => {
  receiver.received.length = 0;
});

const ADDRESSES: Readonly<Record<string, string>> = { "hooks.test": "127.0.0.1", "inside.test": "10.1.2.3" };
const allow = parseAllowList("hooks.test");
if ("fault" in allow) throw new Error(allow.fault);
const resolve = async (host: string) => [ADDRESSES[host] ?? host];
const patient = createNet(allow, { resolve });
const impatient = createNet(allow, { resolve, httpTimeoutMs: 400 });
const NOW = Date.parse("2026-11-29T12:00:30Z");

type HttpKind = Exclude<ChannelKind, "email">;
const HTTP_KINDS = CHANNEL_KINDS.filter((kind): kind is HttpKind => kind !== "email");
const KEY = "0123456789abcdefghijABCDEFGHIJ01";
const path = (kind: HttpKind) => (kind === "pagerduty" ? `/v2/enqueue?routing_key=${KEY}` : "/hook?key=abc");
const at = (kind: HttpKind, origin = `http://hooks.test:${receiver.port}`) => origin + path(kind);

const envelope = (nowMs = NOW): Envelope => {
  const notice = anAlert();
  const composing = {
    locale: "en",
    zone: "UTC",
    publicUrl: "https://busyhour.test",
    nowMs,
    mayRepeat: false,
  } as const;
  return {
    notice,
    message: composeMessage(notice, composing),
    messageId: "5a0e5b1c-0d8f-4f0b-9a44-0d2f6a3f7f10",
    publicUrl: "https://busyhour.test",
    nowMs,
  };
};
const deliver = (
  kind: ChannelKind,
  parts: Partial<ChannelConfig> = {},
  nowMs = NOW,
  net = patient,
): Promise<TryResult> =>
  kindOf(kind).deliver(
    envelope(nowMs),
    {
      name: "ops",
      address: kind === "email" ? "" : at(kind),
      signingSecrets: [],
      authorization: null,
      keyword: null,
      to: [],
      from: null,
      ...parts,
    },
    net,
  );

const delivered: Verdict = { is: "delivered" };
const failed = (code: string) => ({ is: "failed", why: code });
const retry = (code: string, afterMs: number | null = null) =>
  expect.objectContaining({ is: "retry", why: code, afterMs });
const json = (body: unknown, parts: Reply = {}): Reply => ({ status: 200, body, ...parts });

/** How each receiver answers, as it documents it or was seen to; and what that means. */
const ANSWERS: Readonly<
  Record<HttpKind, readonly (readonly [name: string, reply: Reply, verdict: unknown])[]>
> = {
  slack: [
    ["ok", { body: "ok" }, delivered],
    ["a page of somebody else", { body: "<html>welcome</html>" }, retry("not_understood")],
    ["invalid_payload", { status: 400, body: "invalid_payload" }, failed("message_refused")],
    ["invalid_blocks", { status: 400, body: "invalid_blocks" }, failed("message_refused")],
    ["user_not_found", { status: 400, body: "user_not_found" }, failed("not_allowed")],
    ["action_prohibited", { status: 403, body: "action_prohibited" }, failed("not_allowed")],
    ["invalid_token", { status: 403, body: "invalid_token" }, failed("address_unknown")],
    ["no_service", { status: 404, body: "no_service" }, failed("address_unknown")],
    ["channel_is_archived", { status: 410, body: "channel_is_archived" }, failed("address_unknown")],
    ["rollup_error", { status: 500, body: "rollup_error" }, retry("receiver_error")],
    ["too many", { status: 429, headers: { "retry-after": "7" } }, retry("rate_limited", 7_000)],
  ],
  discord: [
    ["the message, as `wait` asks", json({ id: "123", channel_id: "4" }), delivered],
    ["nothing, without `wait`", { status: 204 }, delivered],
    [
      "the message, and that no more may come for now",
      json({ id: "1" }, { headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "1.5" } }),
      { is: "delivered", pauseMs: 1_500 },
    ],
    ["something else", { body: "hello" }, retry("not_understood")],
    ["invalid form", json({ code: 50_035, errors: {} }, { status: 400 }), failed("message_refused")],
    ["unknown webhook", json({ code: 10_015 }, { status: 404 }), failed("address_unknown")],
    ["invalid token", json({ code: 50_027 }, { status: 401 }), failed("address_unknown")],
    [
      "too many, by header",
      json({ retry_after: 0.5, global: false }, { status: 429, headers: { "retry-after": "2" } }),
      retry("rate_limited", 2_000),
    ],
    ["too many, in seconds", json({ retry_after: 0.75 }, { status: 429 }), retry("rate_limited", 750)],
    [
      "too many, in old milliseconds",
      json({ retry_after: 6_457 }, { status: 429 }),
      retry("rate_limited", 6_457),
    ],
    ["too many, without a word", { status: 429, body: "<html>" }, retry("rate_limited")],
  ],
  teams: [
    ["accepted", { status: 202 }, delivered],
    ["ok", { status: 200, body: "1" }, delivered],
    [
      "ok, and within that it was too much",
      {
        body: "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429",
      },
      retry("rate_limited"),
    ],
    [
      "a flow that is not there",
      json({ error: { code: "WorkflowNotFound" } }, { status: 404 }),
      failed("address_unknown"),
    ],
    [
      "a flow that is off",
      json({ error: { code: "WorkflowTriggerIsNotEnabled" } }, { status: 400 }),
      failed("address_unknown"),
    ],
    [
      "a wrong signature",
      json({ error: { code: "AuthorizationFailed" } }, { status: 401 }),
      failed("not_allowed"),
    ],
    ["too many", { status: 429, headers: { "retry-after": "33" } }, retry("rate_limited", 33_000)],
  ],
  feishu: [
    ["ok", json({ code: 0, msg: "success", data: {} }), delivered],
    ["ok, as of old", json({ StatusCode: 0, StatusMessage: "success" }), delivered],
    ["a bad body", json({ code: 9_499, msg: "Bad Request" }), failed("message_refused")],
    ["a wrong token", json({ code: 19_001, msg: "param invalid" }), failed("address_unknown")],
    ["a wrong signature", json({ code: 19_021, msg: "sign match fail" }), failed("bad_signature")],
    ["an address that is not allowed", json({ code: 19_022, msg: "Ip Not Allowed" }), failed("not_allowed")],
    ["no keyword", json({ code: 19_024, msg: "Key Words Not Found" }), failed("keyword_missing")],
    ["too many", json({ code: 11_232, msg: "too many request" }), retry("rate_limited")],
    [
      "too many, and until when",
      json({ code: 99_991_400 }, { status: 429, headers: { "x-ogw-ratelimit-reset": "12" } }),
      retry("rate_limited", 12_000),
    ],
    ["another error", json({ code: 4_000, msg: "?" }), failed("message_refused")],
    ["something else", { body: "hello" }, retry("not_understood")],
  ],
  dingtalk: [
    ["ok", json({ errcode: 0, errmsg: "ok" }), delivered],
    ["no keyword", json({ errcode: 310_000, errmsg: "keywords not in content" }), failed("keyword_missing")],
    ["a wrong signature", json({ errcode: 310_000, errmsg: "sign not match" }), failed("bad_signature")],
    ["an old timestamp", json({ errcode: 310_000, errmsg: "invalid timestamp" }), failed("bad_signature")],
    [
      "an address that is not allowed",
      json({ errcode: 310_000, errmsg: "ip X not in whitelist" }),
      failed("not_allowed"),
    ],
    ["an unknown token", json({ errcode: 300_001, errmsg: "token is not exist" }), failed("address_unknown")],
    ["too many", json({ errcode: 130_101, errmsg: "send too fast" }), retry("rate_limited", 600_000)],
    ["busy", json({ errcode: -1, errmsg: "system busy" }), retry("receiver_error")],
    ["another error", json({ errcode: 400_013, errmsg: "?" }), failed("message_refused")],
    ["something else", { body: "hello" }, retry("not_understood")],
  ],
  wecom: [
    ["ok", json({ errcode: 0, errmsg: "ok" }), delivered],
    ["too long", json({ errcode: 40_058, errmsg: "exceed max length 4096" }), failed("message_refused")],
    ["a bad key", json({ errcode: 93_000, errmsg: "invalid webhook url" }), failed("address_unknown")],
    ["too many", json({ errcode: 45_009, errmsg: "api freq out of limit" }), retry("rate_limited", 60_000)],
    ["busy", json({ errcode: -1, errmsg: "system busy" }), retry("receiver_error")],
    ["something else", { body: "hello" }, retry("not_understood")],
  ],
  pagerduty: [
    ["accepted", json({ status: "success", dedup_key: "x" }, { status: 202 }), delivered],
    ["accepted, and yet not", json({ status: "?" }, { status: 202 }), retry("not_understood")],
    [
      "a bad event",
      json({ status: "invalid event", errors: ["'payload.summary' is missing"] }, { status: 400 }),
      failed("message_refused"),
    ],
    [
      "a bad key",
      json({ status: "invalid event", errors: ["'routing_key' is invalid"] }, { status: 400 }),
      failed("address_unknown"),
    ],
    ["too many", json({ status: "throttle exceeded" }, { status: 429 }), retry("rate_limited")],
  ],
  webhook: [
    ["no content", { status: 204 }, delivered],
    ["accepted", { status: 202, body: "thanks" }, delivered],
    ["gone", { status: 410 }, failed("gone")],
    ["a bad request", { status: 400 }, failed("message_refused")],
    ["not authorised", { status: 401 }, failed("not_allowed")],
    ["not there", { status: 404 }, failed("address_unknown")],
    [
      "too many, until a date",
      { status: 429, headers: { "retry-after": "Sun, 29 Nov 2026 12:02:00 GMT" } },
      retry("rate_limited", 90_000),
    ],
    ["away", { status: 503, headers: { "retry-after": "120" } }, retry("receiver_error", 120_000)],
    ["a proxy without an answer", { status: 504 }, retry("receiver_error")],
  ],
  alertmanager: [
    ["ok", { status: 200 }, delivered],
    ["a bad request", { status: 400 }, failed("message_refused")],
    ["away", { status: 502 }, retry("receiver_error")],
  ],
};

const selfSigned = new SMTPServer({ secure: true });
await new Promise<void>((resolve) => selfSigned.listen(0, "127.0.0.1", resolve));
selfSigned.on("error", () => {});
afterAll(() => new Promise<void>((resolve) => selfSigned.close(() => resolve())));
const selfSignedPort = (selfSigned.server.address() as { port: number }).port;

describe.each(HTTP_KINDS)("%s", (kind) => {
  it.each(ANSWERS[kind])("answers: %s", async (_, reply, verdict) => {
    receiver.reply = () => reply;
    const result = await deliver(kind);
    expect(result.verdict).toEqual(verdict);
    expect(result.status).toBe(reply.status ?? 200);
    expect(receiver.received).toHaveLength(1);
    expect(result.requestBytes).toBe(Buffer.byteLength(receiver.received[0]?.text ?? ""));
  });

  it("has trouble of its own: tried again", async () => {
    receiver.reply = () => ({ status: 500, body: "oops" });
    expect((await deliver(kind)).verdict).toEqual(retry("receiver_error"));
  });

  it("hangs, or breaks off: tried again, as what may have arrived", async () => {
    receiver.reply = () => ({ hangs: true });
    expect((await deliver(kind, {}, NOW, impatient)).verdict).toEqual({
      is: "retry",
      why: "timeout",
      afterMs: null,
      isUncertain: true,
    });
    receiver.reply = () => ({ breaks: true });
    expect((await deliver(kind)).verdict).toEqual({
      is: "retry",
      why: "unreachable",
      afterMs: null,
      isUncertain: true,
    });
  });

  it("is not there: tried again, as what has not arrived", async () => {
    const result = await deliver(kind, { address: at(kind, "http://hooks.test:1") });
    expect(result.verdict).toEqual({ is: "retry", why: "unreachable", afterMs: null, isUncertain: false });
  });

  it("has no certificate to be trusted, or no TLS at all", async () => {
    for (const port of [selfSignedPort, receiver.port]) {
      const result = await deliver(kind, { address: at(kind, `https://hooks.test:${port}`) });
      expect(result.verdict).toEqual(retry("tls"));
    }
    expect(receiver.received).toEqual([]);
  });

  it("sends elsewhere, to the cloud's own address: not followed", async () => {
    receiver.reply = () => ({ status: 307, headers: { location: "http://169.254.169.254/latest/" } });
    const result = await deliver(kind);
    expect([result.verdict, result.status]).toEqual([failed("redirected"), 307]);
    expect(receiver.received).toHaveLength(1);
  });

  it("leads to a private network by its name: not called", async () => {
    const result = await deliver(kind, { address: at(kind, "https://inside.test") });
    expect([result.verdict, result.status]).toEqual([failed("address_refused"), null]);
  });
});

describe("signatures", () => {
  const headersOf = () => {
    const headers = receiver.received.at(-1)?.headers ?? {};
    const one = (name: string) => String(headers[name] ?? "");
    return {
      "webhook-id": one("webhook-id"),
      "webhook-timestamp": one("webhook-timestamp"),
      "webhook-signature": one("webhook-signature"),
    };
  };

  it("of Standard Webhooks are believed by its own library, by either secret of a rotation", async () => {
    receiver.reply = () => ({ status: 204 });
    const [fresh, old, strange] = [makeWebhookSecret(), makeWebhookSecret(), makeWebhookSecret()];
    const nowMs = Date.now();
    await deliver("webhook", { signingSecrets: [fresh, old], authorization: "Bearer abc" }, nowMs);
    const { text, headers } = receiver.received[0] ?? { text: "", headers: {} };
    for (const secret of [fresh, old])
      expect(new Webhook(secret).verify(text, headersOf())).toMatchObject({ type: "alert.firing" });
    expect(() => new Webhook(strange).verify(text, headersOf())).toThrow(WebhookVerificationError);
    expect(() => new Webhook(fresh).verify(`${text} `, headersOf())).toThrow(WebhookVerificationError);
    expect(headers.authorization).toBe("Bearer abc");
    expect(new Webhook(fresh).sign(headersOf()["webhook-id"], new Date(nowMs), text)).toBe(
      headersOf()["webhook-signature"].split(" ")[0],
    );
  });

  it("of Feishu are those of its rule: keyed with time and secret, over nothing", async () => {
    receiver.reply = () => json({ code: 0 });
    await deliver("feishu", { signingSecrets: ["geheim"] });
    const { body } = receiver.received[0] ?? { body: {} };
    const seconds = String(Math.floor(NOW / 1_000));
    const expected = createHmac("sha256", `${seconds}\ngeheim`).digest("base64");
    expect([body.timestamp, body.sign]).toEqual([seconds, expected]);
    await deliver("feishu");
    expect(Object.keys(receiver.received[1]?.body)).toEqual(["msg_type", "card"]);
  });

  it("of DingTalk are those of its rule: keyed with the secret, over time and secret, in the query", async () => {
    receiver.reply = () => json({ errcode: 0 });
    await deliver("dingtalk", { signingSecrets: ["SEC+geheim/="] });
    const url = receiver.received[0]?.url ?? "";
    const hmac = createHmac("sha256", "SEC+geheim/=");
    const sign = hmac.update(`${NOW}\nSEC+geheim/=`).digest("base64");
    expect(url).toBe(`/hook?key=abc&timestamp=${NOW}&sign=${encodeURIComponent(sign)}`);
    await deliver("dingtalk");
    expect(receiver.received[1]?.url).toBe("/hook?key=abc");
  });

  it("are joined by a keyword where a robot wants one", async () => {
    receiver.reply = () => json({ code: 0, errcode: 0 });
    for (const kind of ["feishu", "dingtalk"] as const) {
      await deliver(kind, { keyword: "Busy-Alarm" });
      expect(receiver.received.at(-1)?.text).toContain("Busy-Alarm");
    }
  });
});
