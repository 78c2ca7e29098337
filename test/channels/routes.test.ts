import { beforeEach, describe, expect, it } from "vitest";
import { send } from "../support/people.ts";
import { startReceiver } from "../support/receiver.ts";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer();
const { sql } = api.database;
const receiver = await startReceiver();
const HERE = `http://hooks.test:${receiver.port}`;
const SLACK = "https://hooks.slack.com/services/T000/B000/abcdefghijklmnopqrstuvwx";
beforeEach(async () => {
  await sql`delete from channel`;
  await sql`delete from secret`;
  receiver.received.length = 0;
  receiver.reply = () => ({ body: "ok" });
});

const add = (body: Record<string, unknown>) => send(api, "POST", "/api/channels", body);
const list = async () => (await api.get("/api/channels")).channels;
async function refusal(method: string, path: string, body?: unknown) {
  const response = await api.fetch(path, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { code, errors } = await response.json();
  return { status: response.status, code, ...(errors === undefined ? {} : { errors }) };
}
const faultAt = (pointer: string, detail: RegExp) => ({
  status: 422,
  code: "invalid_body",
  errors: [{ pointer, detail: expect.stringMatching(detail) }],
});

describe("a pasted address", () => {
  it.each([
    [SLACK, "slack"],
    ["https://discord.com/api/webhooks/1234/abcd-EF_gh", "discord"],
    ["https://canary.discordapp.com/api/v10/webhooks/1234/abcd", "discord"],
    [
      "https://prod-1.westeurope.logic.azure.com:443/workflows/x/triggers/manual/paths/invoke?sig=abc",
      "teams",
    ],
    ["https://default1.11.environment.api.powerplatform.com/powerautomate/x?sig=abc", "teams"],
    ["https://open.feishu.cn/open-apis/bot/v2/hook/abcd-12", "feishu"],
    ["https://open.larksuite.com/open-apis/bot/v2/hook/abcd-12", "feishu"],
    ["https://oapi.dingtalk.com/robot/send?access_token=abc", "dingtalk"],
    ["https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=abc", "wecom"],
    ["smtps://a%40b.example:c@mail.example.com", "email"],
    ["0123456789abcdefghijABCDEFGHIJ01", "pagerduty"],
    ["https://events.eu.pagerduty.com/integration/0123456789abcdefghijABCDEFGHIJ01/enqueue", "pagerduty"],
    ["https://hooks.example.com/alerts", "webhook"],
  ])("tells its kind: %s", async (address, kind) => {
    const told = await send(api, "POST", "/api/channel-kinds", { address: ` ${address} ` });
    expect(told.kind).toBe(kind);
    expect(told.needs).toEqual(kind === "email" ? ["to"] : []);
  });

  it.each([
    ["https://shop.webhook.office.com/webhookb2/x", /Workflows/],
    ["https://hooks.slack.com/triggers/T/1/2", /incoming webhook/],
    ["https://discord.com/channels/1/2", /Webhooks/],
    ["https://open.feishu.cn/open-apis/bot/hook/abc", /custom bot/],
    ["https://oapi.dingtalk.com/robot/send", /access_token/],
    ["https://qyapi.weixin.qq.com/cgi-bin/webhook/send", /key=/],
    ["hello", /https:\/\//],
    ["http://hooks.example.com/x", /without encryption/],
    ["https://user:pass@hooks.example.com/x", /user or a password/],
    ["https://10.0.0.1/x", /not public/],
    ["https://inside.test/x", /not public/],
    ["smtp://a:b@inside.test", /not public/],
    ["https://169.254.169.254/latest", /never called/],
    ["smtp://a:b@mail.example.com/path?x=1", /smtps:\/\//],
  ])("is refused in words that help: %s", async (address, words) => {
    expect(await refusal("POST", "/api/channel-kinds", { address })).toEqual(faultAt("/address", words));
    expect(await refusal("POST", "/api/channels", { address, to: ["a@b.c"] })).toMatchObject({ status: 422 });
    expect(await list()).toEqual([]);
  });

  it("is of the kind that is named, where it could be", async () => {
    expect((await add({ address: `${HERE}/x`, kind: "slack" })).kind).toBe("slack");
    expect((await add({ address: "https://hooks.example.com/am", kind: "alertmanager" })).kind).toBe(
      "alertmanager",
    );
    expect(
      await refusal("POST", "/api/channels", { address: "https://hooks.example.com/", kind: "pagerduty" }),
    ).toEqual(faultAt("/address", /32 letters/));
    expect(
      await refusal("POST", "/api/channels", { address: "https://x.webhook.office.com/", kind: "webhook" }),
    ).toEqual(faultAt("/address", /Workflows/));
  });
});

describe("a channel", () => {
  it("is made, shown without its secrets, changed and removed with them", async () => {
    const made = await add({ address: SLACK });
    expect(made).toEqual({
      id: expect.any(Number),
      name: "Slack",
      kind: "slack",
      locale: "en",
      leastSeverity: "info",
      isEnabled: true,
      address: "hooks.slack.com/…uvwx",
      isSigned: false,
      hasAuthorization: false,
      keyword: null,
      to: [],
      from: null,
      state: "unused",
      waiting: 0,
      pausedUntil: null,
      lastOkAt: null,
      failingSince: null,
      brokenSince: null,
      lastFailure: null,
      createdAt: "2026-11-29T12:00:00.000Z",
      signingSecret: null,
    });
    expect((await add({ address: SLACK })).name).toBe("Slack 2");
    const changed = await send(api, "PATCH", `/api/channels/${made.id}`, {
      name: "ops",
      locale: "zh",
      leastSeverity: "critical",
      isEnabled: false,
    });
    const { signingSecret: _, ...before } = made;
    expect(changed).toEqual({
      ...before,
      name: "ops",
      locale: "zh",
      leastSeverity: "critical",
      isEnabled: false,
    });
    await send(api, "DELETE", `/api/channels/${made.id}`);
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(["Slack 2"]);
    expect(await sql`select name from secret`).toHaveLength(1);
    for (const [method, path] of [
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/tests"],
      ["GET", "/deliveries"],
    ] as const)
      expect(
        await refusal(method, `/api/channels/${made.id}${path}`, method === "PATCH" ? {} : undefined),
      ).toEqual({
        status: 404,
        code: "no_such_channel",
      });
  });

  it("has a name of its own, and only what its kind takes", async () => {
    const { id } = await add({ address: SLACK, name: "ops" });
    await add({ address: SLACK, name: "dev" });
    const taken = {
      status: 409,
      code: "channel_name_taken",
      errors: [expect.objectContaining({ pointer: "/name" })],
    };
    expect(await refusal("POST", "/api/channels", { address: SLACK, name: "dev" })).toEqual(taken);
    expect(await refusal("PATCH", `/api/channels/${id}`, { name: "dev" })).toEqual(taken);
    expect(await refusal("POST", "/api/channels", { address: SLACK, keyword: "x" })).toEqual(
      faultAt("/keyword", /Slack/),
    );
    expect(await refusal("POST", "/api/channels", { address: "smtp://a:b@mail.example.com" })).toMatchObject({
      errors: [{ pointer: "/to" }, { pointer: "/from" }],
    });
    const other = "https://discord.com/api/webhooks/1/a";
    expect(await refusal("PATCH", `/api/channels/${id}`, { address: other })).toEqual(
      faultAt("/address", /Discord/),
    );
  });

  it("shows no secret in any answer, nor in the database, nor in the audit log", async () => {
    const plants = ["zqxplantaddress0123", "zqxplantsign", "zqxplantauth", "zqxplantpass"];
    await add({
      address: `https://open.feishu.cn/open-apis/bot/v2/hook/${plants[0]}`,
      signingSecret: plants[1],
    });
    await add({ address: `https://hooks.example.com/${plants[0]}`, authorization: `Bearer ${plants[2]}` });
    await add({ address: `smtps://a%40b.example:${plants[3]}@mail.example.com`, to: ["a@b.example"] });
    const { id } = await add({ address: `${HERE}/${plants[0]}`, kind: "slack", name: "echo" });
    receiver.reply = ({ url }) => ({ status: 400, body: `no ${url}` });
    const shown = [
      JSON.stringify(await list()),
      JSON.stringify(await send(api, "POST", `/api/channels/${id}/tests`)),
      JSON.stringify(await api.get(`/api/channels/${id}/deliveries`)),
      JSON.stringify(await api.get("/api/audit?limit=500")),
    ];
    for (const table of ["channel", "secret", "delivery", "audit_log"]) {
      const [row] = await sql<
        { text: string }[]
      >`select string_agg(t::text, ' ') as text from ${sql(table)} t`;
      shown.push(row?.text ?? "");
    }
    expect(receiver.received[0]?.url).toContain(plants[0]);
    for (const plant of plants) expect(shown.join(" ")).not.toContain(plant);
  });
});

describe("a test", () => {
  it("tells what the receiver really answered, and is in the log", async () => {
    const { id } = await add({ address: `${HERE}/x`, kind: "slack", locale: "zh" });
    expect(await send(api, "POST", `/api/channels/${id}/tests`)).toMatchObject({
      isDelivered: true,
      status: 200,
      answer: "ok",
      code: null,
      hint: null,
    });
    expect(receiver.received[0]?.body.text).toContain("测试：此渠道可用");
    receiver.reply = () => ({ status: 404, body: "no_service" });
    expect(await send(api, "POST", `/api/channels/${id}/tests?locale=zh`)).toMatchObject({
      isDelivered: false,
      status: 404,
      answer: "no_service",
      code: "address_unknown",
      hint: expect.stringContaining("重新填写"),
    });
    const [channel] = await list();
    expect(channel).toMatchObject({ state: "broken", lastFailure: { code: "address_unknown" } });
    const log = await api.get(`/api/channels/${id}/deliveries?limit=1`);
    expect(log.deliveries).toEqual([
      {
        id: expect.any(Number),
        at: "2026-11-29T12:00:00.000Z",
        notification: null,
        title: "测试：此渠道可用",
        try: 1,
        outcome: "failed",
        requestBytes: expect.any(Number),
        durationMs: 0,
        status: 404,
        answer: "no_service",
        code: "address_unknown",
        hint: expect.stringContaining("Enter it anew"),
        nextTryAt: null,
      },
    ]);
    const rest = await api.get(`/api/channels/${id}/deliveries?limit=1&cursor=${log.next}`);
    expect([rest.deliveries[0].outcome, rest.next]).toEqual(["delivered", null]);
    expect(await refusal("GET", `/api/channels/${id}/deliveries?cursor=x`)).toMatchObject({ status: 422 });
  });

  it("of PagerDuty opens an incident and closes it", async () => {
    receiver.reply = () => ({ status: 202, body: { status: "success", dedup_key: "x" } });
    const address = `${HERE}/v2/enqueue?routing_key=0123456789abcdefghijABCDEFGHIJ01`;
    const { id } = await add({ address, kind: "pagerduty" });
    await send(api, "POST", `/api/channels/${id}/tests`);
    expect(
      receiver.received.map(({ body }) => [body.event_action, body.dedup_key, body.payload.severity]),
    ).toEqual([
      ["trigger", "busyhour/default/test", "info"],
      ["resolve", "busyhour/default/test", "info"],
    ]);
    expect(receiver.received[0]?.url).toBe("/v2/enqueue");
  });
});

describe("a webhook's secret", () => {
  it("is shown once, signs, and is joined by a new one for as long as both are believed", async () => {
    const made = await add({ address: `${HERE}/x` });
    expect(made.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await list())[0]).toMatchObject({ isSigned: true });
    expect((await list())[0]).not.toHaveProperty("signingSecret");
    const signatures = async () => {
      await send(api, "POST", `/api/channels/${made.id}/tests`);
      return String(receiver.received.at(-1)?.headers["webhook-signature"]).split(" ").length;
    };
    expect(await signatures()).toBe(1);
    const rotated = await send(api, "POST", `/api/channels/${made.id}/rotations`, { overlapHours: 2 });
    expect(rotated.signingSecret).not.toBe(made.signingSecret);
    expect(rotated.bothUntil).toBe("2026-11-29T14:00:00.000Z");
    expect(await signatures()).toBe(2);
    api.clock.nowMs += 2 * 3_600_000;
    expect(await signatures()).toBe(1);
    const { id } = await add({ address: SLACK });
    expect(await refusal("POST", `/api/channels/${id}/rotations`, {})).toEqual({
      status: 409,
      code: "channel_not_signed",
    });
    expect(await refusal("POST", "/api/channels", { address: `${HERE}/y`, signingSecret: "geheim" })).toEqual(
      faultAt("/signingSecret", /whsec_/),
    );
  });

  it("that cannot be decrypted any more is entered anew with the address", async () => {
    const { id } = await add({ address: `${HERE}/x`, kind: "slack" });
    await sql`update secret set key_id = 'gone'`;
    expect(await refusal("PATCH", `/api/channels/${id}`, { locale: "zh" })).toEqual({
      status: 409,
      code: "channel_secret_lost",
    });
    await send(api, "PATCH", `/api/channels/${id}`, { address: `${HERE}/y` });
    expect(await send(api, "POST", `/api/channels/${id}/tests`)).toMatchObject({ isDelivered: true });
    expect(receiver.received[0]?.url).toBe("/y");
  });
});
