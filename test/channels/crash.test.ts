import { describe, expect, it } from "vitest";
import type { Notice } from "../../server/contract/notice.ts";
import { anAlert } from "../support/notices.ts";
import { createWorld, MINUTE, type Posted, START, titlesOf, until } from "./world.ts";

const world = await createWorld();
const at = (minute: number) => new Date(START + minute * MINUTE).toISOString();

const BEGINS: Readonly<Record<string, string>> = { a: at(7), b: at(18), c: at(29) };

/** Three episodes, each told twice, in the order in which it happens. */
const STORY: readonly (readonly [minute: number, notice: Notice])[] = [
  [10, "a", "firing"],
  [20, "b", "firing"],
  [25, "a", "resolved"],
  [30, "c", "firing"],
  [50, "b", "resolved"],
  [70, "c", "resolved"],
].map(([minute, model, event]) => {
  const isOver = event === "resolved";
  const parts = {
    subject: { model: String(model) },
    dedupeKey: `alert/${model}`,
    at: at(Number(minute)),
  };
  return [
    Number(minute),
    anAlert({
      ...parts,
      event: isOver ? "resolved" : "firing",
      since: BEGINS[String(model)] ?? parts.at,
      endedAt: isOver ? parts.at : null,
    }),
  ] as const;
});

const mayRepeat = ({ body }: Posted) => JSON.stringify(body).includes("may be a repetition");

describe("an outbox", () => {
  it("delivers each message once and in order after an hour without Slack and two kills amid a try", async () => {
    const slack = await world.addChannel("slack", "slack");
    /** What stands in the channel at the end: what Slack took, not what it was asked. */
    const shown: Posted[] = [];
    const kills = [12, 40];
    let onKilled: (() => void) | null = null;
    world.answer = (posted) => {
      const minute = (posted.atMs - START) / MINUTE;
      if (minute < 5 || minute >= 65) {
        shown.push(posted);
        return new Response("ok");
      }
      if (onKilled === null) return new Response("service is down", { status: 503 });
      onKilled();
      return new Promise(() => {});
    };
    let server = world.start();
    const story = [...STORY];
    for (let second = 0; second <= 90 * 60; second += 30) {
      world.clock.nowMs = START + second * 1_000;
      for (; story[0] !== undefined && story[0][0] * 60 <= second; story.shift())
        await world.enqueue(story[0][1]);
      const killed = new Promise<true>((resolve) => {
        onKilled = kills[0] !== undefined && kills[0] * 60 <= second ? () => resolve(true) : null;
      });
      const run = server.run(world.clock.nowMs).then(() => false);
      if (!(await Promise.race([run, killed]))) continue;
      // The process is gone amid its try: nothing of it goes on. Another one is started.
      kills.shift();
      server = world.start();
    }
    expect(kills).toEqual([]);
    expect(titlesOf(shown)).toEqual([
      "🔴 a: no room at the provider for 12.3 % of attempts",
      "🔴 b: no room at the provider for 12.3 % of attempts",
      "✅ a: over after 18 minutes",
      "🔴 c: no room at the provider for 12.3 % of attempts",
      "✅ b: over after 32 minutes",
      "✅ c: over after 41 minutes",
    ]);
    // Only of the first one nobody knew: the server died twice while it sent that.
    expect(shown.map(mayRepeat)).toEqual([true, false, false, false, false, false]);
    const states = await world.sql`select state, count(*)::int as n from notification group by 1`;
    expect([...states]).toEqual([{ state: "sent", n: 6 }]);
    expect((await world.log(slack)).filter((line) => line.startsWith("unknown"))).toEqual([
      "unknown interrupted",
      "unknown interrupted",
    ]);
    expect(world.posted.length).toBeLessThan(40);
  });

  it("that was killed after the receiver took a message sends it again, and says so in the way of each kind", async () => {
    await world.sql`delete from channel`;
    world.posted.length = 0;
    for (const kind of ["slack", "webhook", "pagerduty"] as const) await world.addChannel(kind, kind);
    world.answer = () => new Promise(() => {});
    await world.enqueue(anAlert());
    void world.start().run(world.clock.nowMs);
    await until(() => world.posted.length === 3);
    world.answer = ({ url }) =>
      url.includes("pagerduty") ? Response.json({ status: "success" }) : new Response("ok");
    const other = world.start();
    // It may still be on its way from the one that was killed.
    world.clock.nowMs += 44_000;
    await other.run(world.clock.nowMs);
    expect(world.posted).toHaveLength(3);
    world.clock.nowMs += 1_000;
    await other.run(world.clock.nowMs);
    await other.run(world.clock.nowMs + MINUTE);
    expect(world.posted).toHaveLength(6);
    const pair = (name: string) => world.posted.filter(({ url }) => url.includes(name));
    expect(pair("slack").map(mayRepeat)).toEqual([false, true]);
    const ids = pair("webhook").map(({ headers }) => headers["webhook-id"]);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(pair("webhook")[1]?.body).toEqual(pair("webhook")[0]?.body);
    const keys = pair("pagerduty").map(({ body }) => body.dedup_key);
    expect(keys).toEqual([anAlert().dedupeKey, anAlert().dedupeKey]);
  });

  it("on two servers sends each message once, in order", async () => {
    await world.sql`delete from channel`;
    world.posted.length = 0;
    await world.addChannel("slack", "slack");
    world.answer = () => new Response("ok");
    const servers = [world.start(), world.start(), world.start()];
    for (let i = 0; i < 6; i++)
      await world.enqueue(anAlert({ subject: { model: `m${i}` }, dedupeKey: `m${i}` }));
    for (let second = 0; second < 20; second++) {
      world.clock.nowMs += 1_000;
      await Promise.all(servers.map((server) => server.run(world.clock.nowMs)));
    }
    const models = titlesOf(world.posted).map((title) => /m\d/.exec(title)?.[0]);
    expect(models).toEqual(["m0", "m1", "m2", "m3", "m4", "m5"]);
  });

  it("writes down what was sent when the database comes back: it is not sent again", async () => {
    await world.sql`delete from channel`;
    world.posted.length = 0;
    const id = await world.addChannel("slack", "slack");
    let begins = 0;
    const sql = new Proxy(world.sql, {
      get(target, name) {
        if (name !== "begin") return Reflect.get(target, name);
        return (work: Parameters<typeof target.begin>[1]) => {
          begins++;
          // The first is the claim; then the database is away three times.
          if (begins >= 2 && begins <= 4)
            return Promise.reject(
              Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" }),
            );
          return target.begin(work as never);
        };
      },
    });
    await world.enqueue(anAlert());
    await world.start({ sql }).run(world.clock.nowMs);
    world.clock.nowMs += 5 * MINUTE;
    await world.start().run(world.clock.nowMs);
    expect([world.posted.length, await world.log(id)]).toEqual([1, ["delivered"]]);
  });
});
