import { beforeEach, describe, expect, it } from "vitest";
import type { Deliveries } from "../../server/channels/job.ts";
import { anAlert, aText } from "../support/notices.ts";
import { createWorld, MINUTE, START, titlesOf, until } from "./world.ts";

const world = await createWorld();
const ok = () => new Response("ok");
let server: Deliveries;
beforeEach(async () => {
  await world.sql`delete from channel`;
  world.posted.length = 0;
  world.clock.nowMs = START;
  world.answer = ok;
  server = world.start();
});

const alertOf = (model: string, parts = {}) => anAlert({ subject: { model }, dedupeKey: model, ...parts });
const modelsOf = (name = "") => titlesOf(world.posted, name).map((title) => /[a-z]\d+/.exec(title)?.[0]);
/** Runs the job every three seconds, as its clock does, or more seldom. */
async function pass(ms: number, everyMs = 3_000): Promise<void> {
  const untilMs = world.clock.nowMs + ms;
  for (; world.clock.nowMs < untilMs; world.clock.nowMs += everyMs) await server.run(world.clock.nowMs);
}
const waiting = async () => {
  const [row] = await world.sql<
    { n: number }[]
  >`select count(*)::int as n from notification where state = 'waiting'`;
  return row?.n;
};

describe("a receiver that is busy", () => {
  it("is left alone until it says, also by a server that was started meanwhile; order is kept", async () => {
    await world.addChannel("slack", "slack");
    let isBusy = true;
    world.answer = () =>
      isBusy ? new Response("", { status: 429, headers: { "retry-after": "120" } }) : ok();
    await world.enqueue(alertOf("m1"));
    await world.enqueue(alertOf("m2"));
    await pass(60_000);
    expect(world.posted).toHaveLength(1);
    isBusy = false;
    server = world.start();
    await pass(57_000);
    expect(world.posted).toHaveLength(1);
    await pass(30_000);
    expect(modelsOf()).toEqual(["m1", "m1", "m2"]);
    expect((world.posted[1]?.atMs ?? 0) - START).toBe(120_000);
  });

  it("gets what fails more and more seldom, and no more than its limit when it is back", async () => {
    const id = await world.addChannel("slack", "slack");
    world.answer = () => new Response("down", { status: 503 });
    await world.enqueue(alertOf("m1"));
    await pass(6 * MINUTE);
    await pass(54 * MINUTE, 30_000);
    const gaps = world.posted
      .slice(1)
      .map(({ atMs }, i) => Math.round((atMs - (world.posted[i]?.atMs ?? 0)) / 1_000));
    expect(gaps).toEqual([6, 12, 21, 42, 81, 162, 336, 600, 600, 600, 600]);
    expect((await world.log(id))[0]).toBe("retried receiver_error");
  });

  it("holds up nobody else", async () => {
    await world.addChannel("slack", "slack");
    await world.addChannel("teams", "teams");
    world.answer = ({ url }) => (url.includes("slack") ? new Promise(() => {}) : ok());
    await world.enqueue(alertOf("m1"));
    const patient = world.start({ patience: async () => {} });
    const run = () => patient.run(world.clock.nowMs);
    await until(() => world.posted.length === 2, run);
    await world.enqueue(alertOf("m2"));
    await until(() => world.posted.length === 3, run);
    const paths = world.posted.map(({ url }) => new URL(url).pathname).sort();
    expect(paths).toEqual(["/slack", "/teams", "/teams"]);
  });
});

describe("a flood", () => {
  it("is summed up in one message where people read, and told one by one where machines do", async () => {
    await world.addChannel("slack", "slack");
    await world.addChannel("pager", "pagerduty");
    await world.addChannel("hook", "webhook");
    world.answer = ({ url }) => (url.includes("pager") ? Response.json({ status: "success" }) : ok());
    for (let i = 0; i < 30; i++) await world.enqueue(alertOf(`m${i}`));
    await world.enqueue(aText());
    for (let i = 0; i < 10; i++) {
      const over = { event: "resolved", endedAt: "2026-11-29T12:00:00.000Z" } as const;
      await world.enqueue(alertOf(`m${i}`, over));
    }
    await pass(MINUTE);
    const inSlack = titlesOf(world.posted, "/slack");
    expect(inSlack).toEqual(["🔴 40 messages in one: 20 alerts open, 10 over", "📋 The week of 23 November"]);
    const text = JSON.stringify(world.posted.find(({ url }) => url.includes("/slack"))?.body);
    expect(text).toContain("m10: no room");
    expect(text).toContain("… and 8 more");
    expect(world.posted.filter(({ url }) => url.includes("/pager"))).toHaveLength(40);
    expect(world.posted.filter(({ url }) => url.endsWith("/hook"))).toHaveLength(41);
    expect(await waiting()).toBe(0);
    const states = await world.sql`
      select state, count(*)::int as n from notification n join channel c on c.id = n.channel_id
       where c.name = 'slack' group by 1 order by 1`;
    expect([...states]).toEqual([
      { state: "digested", n: 40 },
      { state: "sent", n: 2 },
    ]);
  });

  it("of what a receiver takes one by one stays as it is", async () => {
    await world.addChannel("slack", "slack");
    for (let i = 0; i < 10; i++) await world.enqueue(alertOf(`m${i}`));
    await pass(MINUTE);
    expect(modelsOf()).toEqual(Array.from({ length: 10 }, (_, i) => `m${i}`));
  });
});

describe("a channel that stays broken", () => {
  it("is told once through another one, never about itself, and heals", async () => {
    const slack = await world.addChannel("slack", "slack");
    await world.addChannel("pager", "pagerduty");
    const teams = await world.addChannel("teams", "teams");
    let isGone = true;
    world.answer = ({ url }) => {
      if (url.includes("pager")) return Response.json({ status: "success" });
      return isGone && url.includes("slack") ? new Response("no_service", { status: 404 }) : ok();
    };
    await world.enqueue(alertOf("m1"));
    await world.enqueue(alertOf("m2"), [slack]);
    await pass(MINUTE);
    // What cannot be mended by waiting is not tried again, and holds up nothing.
    expect(await world.log(slack)).toEqual(["failed address_unknown", "failed address_unknown"]);
    const told = () =>
      world.posted.filter(({ url }) => url.includes("teams")).map(({ body }) => JSON.stringify(body));
    expect(told()).toHaveLength(2);
    expect(told()[1]).toContain("Channel “slack” does not deliver");
    expect(told()[1]).toContain("does not know this address");
    expect(await world.channel(slack)).toMatchObject({ failures: 2, lastFailure: "address_unknown" });
    isGone = false;
    await world.enqueue(alertOf("m3"), [slack]);
    await pass(MINUTE);
    expect(await world.channel(slack)).toMatchObject({ failures: 0, brokenSince: null, lastFailure: null });
    expect(told()).toHaveLength(2);
    expect((await world.log(teams)).length).toBe(2);
  });

  it("without an answer is told after a quarter of an hour, and nothing tells of that which tells", async () => {
    await world.addChannel("slack", "slack");
    const teams = await world.addChannel("teams", "teams");
    world.answer = () => new Response("", { status: 500 });
    await world.enqueue(alertOf("m1"));
    await pass(14 * MINUTE, 30_000);
    const broken = async () => {
      const rows = await world.sql`select name from channel where broken_since is not null order by name`;
      return rows.map(({ name }) => name);
    };
    const notices = async () => {
      const rows = await world.sql`
        select c.name, n.notice->'data'->'channel'->>'name' as about from notification n
          join channel c on c.id = n.channel_id where n.notice->>'event' = 'channelBroken'`;
      return rows.map(({ name, about }) => `${name} tells of ${about}`);
    };
    expect(await broken()).toEqual([]);
    await pass(10 * MINUTE, 30_000);
    expect(await broken()).toEqual(["slack", "teams"]);
    // The first that breaks is told through the other; that one has nobody left.
    expect(await notices()).toHaveLength(1);
    await pass(60 * MINUTE, 60_000);
    expect(await notices()).toHaveLength(1);
    expect(await world.channel(teams)).toMatchObject({ isEnabled: true });
  });

  it("tells what it was not told once a test comes through, and not what failed before", async () => {
    const slack = await world.addChannel("slack", "slack");
    let isGone = true;
    world.answer = () => (isGone ? new Response("no_service", { status: 404 }) : ok());
    await world.enqueue(alertOf("m1"));
    await pass(MINUTE);
    isGone = false;
    await world.enqueue(alertOf("m2"));
    await pass(MINUTE);
    isGone = true;
    await world.enqueue(alertOf("m3"));
    await pass(MINUTE);
    expect([await world.sendTest(slack), modelsOf()]).toEqual([false, ["m1", "m2", "m3", undefined]]);
    isGone = false;
    expect(await world.sendTest(slack)).toBe(true);
    await pass(MINUTE);
    expect(modelsOf().slice(5)).toEqual(["m3"]);
    // A test of what works tells nothing twice.
    expect(await world.sendTest(slack)).toBe(true);
    await pass(MINUTE);
    expect(modelsOf().slice(6)).toEqual([undefined]);
  });

  it("and says that it is closed for good is switched off", async () => {
    const hook = await world.addChannel("hook", "webhook");
    world.answer = () => new Response("", { status: 410 });
    await world.enqueue(alertOf("m1"));
    await world.enqueue(alertOf("m2"));
    await pass(MINUTE);
    expect([world.posted.length, await waiting()]).toEqual([1, 0]);
    expect(await world.channel(hook)).toMatchObject({ isEnabled: false, lastFailure: "gone" });
  });

  it("because its secret cannot be read keeps what waits until it can", async () => {
    const slack = await world.addChannel("slack", "slack");
    await world.addChannel("teams", "teams");
    const [kept] = await world.sql`select * from secret where name = ${`channel/${slack}`}`;
    await world.sql`update secret set key_id = 'another key' where name = ${`channel/${slack}`}`;
    await world.enqueue(alertOf("m1"));
    await pass(MINUTE);
    expect((await world.log(slack))[0]).toBe("retried secret_unreadable");
    expect(JSON.stringify(world.posted.map(({ body }) => body))).toContain("cannot be decrypted");
    await world.sql`update secret set key_id = ${kept?.["key_id"]} where name = ${`channel/${slack}`}`;
    await pass(10 * MINUTE, 30_000);
    expect(modelsOf("/slack")).toEqual(["m1"]);
  });
});

describe("what waits", () => {
  it("is given up after a day, for a webhook after three; what comes after it is sent", async () => {
    const slack = await world.addChannel("slack", "slack", { isEnabled: true });
    const hook = await world.addChannel("hook", "webhook");
    await world.enqueue(alertOf("m1"));
    await world.sql`update channel set is_enabled = false`;
    await pass(3_000);
    world.clock.nowMs += 25 * 60 * MINUTE;
    await world.sql`update channel set is_enabled = true`;
    await world.enqueue(alertOf("m2"));
    await pass(MINUTE);
    expect(modelsOf("/slack")).toEqual(["m2"]);
    expect(await world.log(slack)).toEqual(["failed too_late", "delivered"]);
    expect(await world.log(hook)).toEqual(["delivered", "delivered"]);
  });

  it("goes with its channel, also while it is being sent", async () => {
    const slack = await world.addChannel("slack", "slack");
    world.answer = async () => {
      await world.sql`delete from channel where id = ${slack}`;
      return ok();
    };
    await world.enqueue(alertOf("m1"));
    await pass(MINUTE);
    expect([world.posted.length, await waiting()]).toEqual([1, 0]);
  });

  it("is told late in words that say so", async () => {
    await world.addChannel("slack", "slack");
    await world.enqueue(alertOf("m1", { at: new Date(START - 11 * MINUTE).toISOString() }));
    await pass(3_000);
    expect(JSON.stringify(world.posted[0]?.body)).toContain("Told late: this was so at 29 Nov, 11:49 UTC.");
  });

  it("and was settled a month ago is forgotten", async () => {
    const id = await world.addChannel("slack", "slack");
    await world.enqueue(alertOf("m1"));
    await pass(3_000);
    world.clock.nowMs += 29 * 24 * 60 * MINUTE;
    await world.start().run(world.clock.nowMs);
    expect(await world.log(id)).toHaveLength(1);
    world.clock.nowMs += 2 * 24 * 60 * MINUTE;
    await world.start().run(world.clock.nowMs);
    expect([await world.log(id), (await world.sql`select from notification`).length]).toEqual([[], 0]);
  });
});

describe("the log", () => {
  it("has the real answer, cut short, and none of the secrets that came back in it", async () => {
    const id = await world.addChannel("hook", "webhook");
    const secret = "0123456789abcdefSECRET";
    const stored = {
      address: `https://hooks.test/${secret}`,
      signing: null,
      before: null,
      authorization: `Bearer ${secret}x`,
    };
    await world.secrets.put({ projectId: 1, name: `channel/${id}` }, JSON.stringify(stored));
    world.answer = () =>
      new Response(`no: /${secret} ${secret}x \0\u001b[31m ${"long ".repeat(500)}`, { status: 400 });
    await world.enqueue(alertOf("m1"));
    await pass(3_000);
    const [row] = await world.sql`select * from delivery where channel_id = ${id}`;
    expect(row).toMatchObject({ outcome: "failed", status: 400, code: "message_refused", try_number: 1 });
    expect(row?.["answer"]).toMatch(/^no: \/… … {3}\[31m long/);
    expect(row?.["answer"].length).toBeLessThanOrEqual(500);
    expect(JSON.stringify(row)).not.toContain("SECRET");
    expect(row?.["title"]).toContain("m1: no room");
  });
});
