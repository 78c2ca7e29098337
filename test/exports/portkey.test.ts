import { type ChildProcess, spawn } from "node:child_process";
import http from "node:http";
import { createRequire } from "node:module";
import net, { type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlanDocument } from "../../server/contract/plan.ts";
import { exportPlan } from "../../server/exports/export-plan.ts";

/** A model's name says how the provider answers it: a status, or `room`. */
const asked: string[] = [];
const provider = http.createServer((req, res) => {
  const parts: Buffer[] = [];
  req.on("data", (part: Buffer) => parts.push(part));
  req.on("end", () => {
    const { model } = JSON.parse(Buffer.concat(parts).toString()) as { model: string };
    asked.push(`${model} ${req.headers.authorization}`);
    const status = Number(/^\d{3}/.exec(model)?.[0] ?? 200);
    res.writeHead(status, { "content-type": "application/json" });
    const choices = [{ index: 0, message: { role: "assistant", content: model }, finish_reason: "stop" }];
    res.end(
      JSON.stringify(
        status === 200 ? { object: "chat.completion", model, choices } : { error: { message: "no" } },
      ),
    );
  });
});
let gateway: ChildProcess;
let gatewayUrl = "";

async function listen(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  await listen(provider);
  const place = net.createServer();
  const port = await listen(place);
  await new Promise((resolve) => place.close(resolve));
  gatewayUrl = `http://127.0.0.1:${port}/v1/chat/completions`;
  gateway = spawn(
    process.execPath,
    [createRequire(import.meta.url).resolve("@portkey-ai/gateway/build/start-server.js"), `--port=${port}`],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { PATH: process.env["PATH"], TRUSTED_CUSTOM_HOSTS: "127.0.0.1" },
    },
  );
  await new Promise<void>((resolve, reject) => {
    gateway.stdout?.on("data", (text: Buffer) => String(text).includes("Ready") && resolve());
    gateway.once("exit", (code) => reject(new Error(`the gateway ended with ${code}`)));
  });
}, 60_000);

afterAll(async () => {
  const ended = new Promise((resolve) => gateway.once("exit", resolve));
  gateway.kill();
  await ended;
  provider.close();
});

function planOf(
  models: readonly string[],
  parts: Partial<PlanDocument["chains"][string]> = {},
): PlanDocument {
  const { port } = provider.address() as AddressInfo;
  const targets = models.map((model) => {
    return { id: model, provider: "openai", model, endpoint: `http://127.0.0.1:${port}/v1` };
  });
  return { timeZone: "UTC", chains: { main: { targets, ...parts } } } as PlanDocument;
}

/** Asks the gateway with the exported file as its config, with its variables filled in. */
async function ask(plan: PlanDocument, at?: string): Promise<{ status: number; asked: string[] }> {
  const { content } = exportPlan(plan, { format: "portkey", chain: "main", at }, 0);
  const config = JSON.stringify(JSON.parse(content.replaceAll(/\$\{OPENAI_API_KEY\}/g, "sk-of-ours")));
  asked.length = 0;
  const answer = await fetch(gatewayUrl, {
    method: "POST",
    headers: { "content-type": "application/json", "x-portkey-config": config },
    body: JSON.stringify({ messages: [{ role: "user", content: "Hello" }] }),
  });
  await answer.text();
  return { status: answer.status, asked: [...asked] };
}

describe("Portkey's own gateway", () => {
  it("goes through the targets in the exported order until one has room, with the key of the variable", async () => {
    expect(await ask(planOf(["529-first", "503-second", "room", "never"]))).toEqual({
      status: 200,
      asked: ["529-first", "503-second", "room"].map((model) => `${model} Bearer sk-of-ours`),
    });
  });

  it("does not take the caller's own fault to the next target", async () => {
    const { status, asked: models } = await ask(planOf(["400-faulty", "room"]));
    expect([status, models.length]).toEqual([400, 1]);
  });

  it("takes the order of a window of the schedule", async () => {
    const schedule = [{ days: ["mon"], from: "09:00", to: "12:00", order: ["room", "529-first"] }];
    const { asked: models } = await ask(planOf(["529-first", "room"], { schedule } as object), "0");
    expect(models).toEqual(["room Bearer sk-of-ours"]);
  });

  it("goes on to what is never first where those that share the load have no room", async () => {
    const schedule = [{ from: "00:00", to: "12:00", order: ["503-b", "529-a", "room"] }];
    const { status, asked: models } = await ask(
      planOf(["529-a", "503-b", "room"], { schedule } as object),
      "blend",
    );
    expect([status, models.at(-1)]).toEqual([200, "room Bearer sk-of-ours"]);
    expect(new Set(models).size).toBe(3);
  });

  it("shares requests out as a blend says: what is never first is asked by none that finds room", async () => {
    const schedule = [{ from: "00:00", to: "12:00", order: ["room-b", "room-a", "room-c"] }];
    const plan = planOf(["room-a", "room-b", "room-c"], { schedule } as object);
    const firsts = new Map<string, number>();
    for (let i = 0; i < 60; i++) {
      const { asked: models } = await ask(plan, "blend");
      firsts.set(models[0] ?? "", (firsts.get(models[0] ?? "") ?? 0) + 1);
    }
    expect([...firsts.keys()].sort()).toEqual(["room-a Bearer sk-of-ours", "room-b Bearer sk-of-ours"]);
    // Half and half: fewer than 12 of 60 of either would be one in a million.
    expect(Math.min(...firsts.values())).toBeGreaterThan(11);
  });
});
