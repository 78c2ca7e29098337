import { createReporter, observe } from "@busyhour/sdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import { json, type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

it.each(["flush", "close"] as const)(
  "a failed attempt that waits for its repetition goes with %s()",
  async (how) => {
    const reporter = createReporter({ url: server.url, key: "bh_test" });
    const call = observe(fetch, { report: reporter.report });
    server.script(
      json(503, { error: { message: "The model is overloaded" } }),
      json(202, { accepted: 1, duplicates: 0, rejected: [] }),
    );
    const body = JSON.stringify({ model: "gpt-x" });
    await (await call(`${server.url}/v1/chat/completions`, { method: "POST", body })).text();
    expect(reporter.stats()).toMatchObject({ reported: 0 });
    await reporter[how]();
    expect(reporter.stats()).toMatchObject({ reported: 1, stored: 1 });
    expect(server.received.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/attempts"]);
    await reporter.close();
  },
);
