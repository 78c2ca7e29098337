import pino from "pino";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { createNet } from "../../server/channels/net.ts";
import { type CallbackDeps, runCallbacks } from "../../server/queue/callbacks.ts";
import { send } from "../support/people.ts";
import { startReceiver } from "../support/receiver.ts";
import { startTestServer } from "../support/server.ts";
import { createQueueClient } from "./support.ts";

const api = await startTestServer();
const client = createQueueClient(api);
const receiver = await startReceiver();
const { core } = api.server;
const deps: CallbackDeps = {
  sql: core.jobSql,
  secrets: core.secrets,
  net: createNet({ names: ["hooks.test"], networks: [] }, { resolve: async () => ["127.0.0.1"] }),
  now: () => api.clock.nowMs,
  random: () => 0,
  log: pino({ level: "silent" }),
};
const run = () => runCallbacks(deps, api.clock.nowMs);
let names = 0;

async function aWebhook(): Promise<{ id: number; signingSecret: string }> {
  return send(api, "POST", "/api/channels", {
    address: `http://hooks.test:${receiver.port}/jobs${++names}`,
    kind: "webhook",
    name: `jobs ${names}`,
  });
}

/** Submits jobs that a channel is to be told of, and completes them. */
async function finish(notify: number, count: number): Promise<number[]> {
  const queue = `q${++names}`;
  const ids = await client.submit(
    Array.from({ length: count }, (_, i) => ({ reference: `r${i}`, notify })),
    { queue },
  );
  for (let left = count; left > 0; ) {
    const { jobs } = await client.lease({ queue, limit: 100 });
    await Promise.all(jobs.map(({ id, token }) => client.complete(id, token, { reference: `out/${id}` })));
    left -= jobs.length;
  }
  return ids;
}

const idsOf = ({ body }: { body: { data: { jobs: { id: number }[] } } }) =>
  body.data.jobs.map(({ id }) => id);

describe("a webhook", () => {
  it("is told of finished jobs, many in one signed message, once", async () => {
    const channel = await aWebhook();
    receiver.received.length = 0;
    const ids = await finish(channel.id, 70);
    expect(await run()).toBe(2);
    expect(receiver.received.map((message) => idsOf(message).length)).toEqual([50, 20]);
    expect(receiver.received.flatMap(idsOf).sort((a, b) => a - b)).toEqual(ids);
    const [first] = receiver.received;
    // The library checks against the clock of this machine, which is not the server's.
    const secret = channel.signingSecret;
    const headers = first?.headers as Record<string, string>;
    const signer = new Webhook(secret);
    const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    expect(headers["webhook-signature"]).toBe(
      signer.sign(headers["webhook-id"] ?? "", at, first?.text ?? ""),
    );
    expect(first?.body).toMatchObject({ type: "jobs.finished", data: { project: "default" } });
    expect(first?.body.data.jobs[0]).toMatchObject({
      id: ids[0],
      state: "completed",
      reference: "r0",
      result: { reference: `out/${ids[0]}` },
      attempts: 1,
    });
    expect(await run()).toBe(0);
    const { deliveries } = await api.get(`/api/channels/${channel.id}/deliveries`);
    expect(deliveries).toMatchObject([
      { outcome: "delivered", title: "jobs.finished (20)" },
      { outcome: "delivered", title: "jobs.finished (50)" },
    ]);
  });

  it("that does not take a message is sent the same one later, and nothing before it", async () => {
    const channel = await aWebhook();
    receiver.received.length = 0;
    const ids = await finish(channel.id, 2);
    receiver.reply = () => ({ status: 503 });
    expect(await run()).toBe(0);
    const later = await finish(channel.id, 1);
    expect(await run()).toBe(0);
    receiver.reply = () => ({});
    api.clock.nowMs += 5_000;
    await run();
    const messages = receiver.received.map((message) => [message.headers["webhook-id"], idsOf(message)]);
    const [firstId] = messages[0] as [string];
    expect(messages.filter(([id]) => id === firstId)).toEqual([
      [firstId, ids],
      [firstId, ids],
    ]);
    expect(new Set(messages.flatMap(([, told]) => told as number[]))).toEqual(new Set([...ids, ...later]));
  });

  it("is told by another server when the one that sent it died", async () => {
    const channel = await aWebhook();
    receiver.received.length = 0;
    const ids = await finish(channel.id, 1);
    // Taken, and never settled.
    const net = { ...deps.net, fetch: () => Promise.reject(new Error("killed")) };
    await runCallbacks({ ...deps, net }, api.clock.nowMs);
    expect(await run()).toBe(0);
    api.clock.nowMs += 45_000;
    expect(await run()).toBe(1);
    expect(receiver.received.flatMap(idsOf)).toEqual(ids);
  });

  it("is given up after three days, and forgotten with its channel", async () => {
    const channel = await aWebhook();
    receiver.reply = () => ({ status: 500 });
    await finish(channel.id, 1);
    await run();
    api.clock.nowMs += 3 * 86_400_000;
    await run();
    const waiting = () => core.jobSql`select from job_callback where channel_id = ${channel.id}`;
    expect(await waiting()).toHaveLength(0);
    const other = await aWebhook();
    await finish(other.id, 1);
    await send(api, "DELETE", `/api/channels/${other.id}`);
    await run();
    expect(await core.jobSql`select from job_callback where channel_id = ${other.id}`).toHaveLength(0);
    receiver.reply = () => ({});
  });
});
