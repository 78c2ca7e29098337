import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { readResults } from "@busyhour/sdk/files";
import { afterAll, describe, expect, it } from "vitest";
import { workCommand } from "../../server/cli/worker.ts";
import { json, startScriptedServer } from "../sdk/support/scripted-server.ts";
import { startTestServer } from "../support/server.ts";
import { createQueueClient } from "./support.ts";

const api = await startTestServer();
const client = createQueueClient(api);
const { key } = await api.createKey("ingest");
await client.ok("PUT", "/api/queues/settings", {
  storesPayloads: true,
  payloadHours: 168,
  keptDays: 7,
  deadKeptDays: 30,
});
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-work-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
let queue = "cli";

describe("busyhour work", () => {
  it("sends jobs to an endpoint, keeps the answers, and ends when it is told to", async () => {
    const provider = await startScriptedServer();
    const answer = (text: string) =>
      json(200, { model: "m-1", choices: [{ message: { content: text }, finish_reason: "stop" }] });
    provider.script(answer("blue"), json(200, { error: { message: "bad", type: "invalid_request_error" } }));
    const ids = await client.submit(
      [
        { key: "sky", payload: "Why is the sky blue?" },
        { key: "bad", payload: { prompt: "?" } },
        { key: "none", reference: "r" },
      ],
      { queue },
    );
    const said: string[] = [];
    const interrupts: (() => void)[] = [];
    const output = path.join(folder, "answers.ndjson");
    const command = () =>
      workCommand({
        environment: {},
        say: (line) => said.push(line),
        onInterrupt(callback) {
          interrupts.push(callback);
          return () => {};
        },
      }).parseAsync(
        ["--queue", queue, "--url", provider.url, "--model", "m", "--server", api.url, "--key", key].concat(
          "--output",
          output,
          "--concurrency",
          "1",
          "--name",
          "cli",
        ),
        { from: "user" },
      );
    const ended = command();
    const states = await Promise.all(
      ids.map(async (id) => (await client.ok("GET", `/v1/jobs/${id}?wait=30`)).state),
    );
    expect(states).toEqual(["completed", "dead", "dead"]);
    interrupts[0]?.();
    await ended;
    expect(await client.get(ids[0] ?? 0)).toMatchObject({
      worker: "cli",
      result: { reference: "answers.ndjson#sky" },
    });
    expect(JSON.parse(provider.received[0]?.body ?? "")).toEqual({
      model: "m",
      messages: [{ role: "user", content: "Why is the sky blue?" }],
    });
    expect(await readResults(output)).toMatchObject([
      { id: "sky", outcome: "ok", value: { text: "blue", model: "m-1" } },
    ]);
    expect(said[0]).toBe(`Working on the queue ${queue} of ${api.url}/. Answers: ${output}. Ctrl-C stops.`);
    expect(said).toContain(
      `job ${ids[2]} failed: it has no payload; busyhour work needs one: a prompt, a chat or a request`,
    );
    expect(said.at(-1)).toBe("1 done, 2 attempts failed, 0 found no room.");

    // An answer that was kept before its worker died is not asked for again.
    const [again = 0] = await client.submit([{ key: "sky", payload: "Why is the sky blue?" }], {
      queue: `${queue}b`,
    });
    queue = `${queue}b`;
    const second = command();
    expect(await client.ok("GET", `/v1/jobs/${again}?wait=30`)).toMatchObject({ state: "completed" });
    interrupts[1]?.();
    await second;
    expect(provider.received).toHaveLength(2);
    await provider.close();
  });

  it("says what it lacks", async () => {
    const run = (...args: string[]) =>
      workCommand({ environment: { BUSYHOUR_DATA_DIR: folder }, say: () => {}, onInterrupt: () => () => {} })
        .exitOverride()
        .parseAsync(args, { from: "user" });
    await expect(run("--url", "ftp://x")).rejects.toThrow("ftp://x is no address");
    await expect(run("--url", "http://x.test")).rejects.toThrow("No Busyhour runs here");
    await expect(run("--url", "http://x.test", "--server", "http://y.test")).rejects.toThrow(
      "--server needs a key",
    );
    await expect(run("--url", "http://x.test", "--key-env", "MY_KEY")).rejects.toThrow("MY_KEY");
  });
});
