import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startScriptedServer } from "../sdk/support/scripted-server.ts";
import { CHAT, MESSAGES } from "../sdk/support/wire.ts";
import { listBlocks, runSnippet } from "./run-snippet.ts";

async function aWorld() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-docs-"));
  const server = await startScriptedServer();
  onTestFinished(async () => {
    fs.rmSync(folder, { recursive: true, force: true });
    await server.close();
  });
  const env = {
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: `${server.url}/v1`,
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: `${server.url}/v1`,
    NODE_NO_WARNINGS: "1",
  };
  return { server, run: (code: string) => runSnippet(code, folder, env) };
}

describe("docs/router.md, Clients as they are", () => {
  const [openai = "", aiSdk = "", ...rest] = listBlocks("docs/router.md", "ts", "Clients as they are");

  it("has code for openai that works as it stands", async () => {
    const { server, run } = await aWorld();
    server.script(CHAT.full, CHAT.ok("Rayleigh"));
    expect(await run(openai)).toContain("Rayleigh");
    expect(server.received.map(({ body }) => JSON.parse(body).model)).toEqual(["gpt-5", "gpt-5-nano"]);
    expect(rest).toEqual([]);
  });

  it("has code for the AI SDK that works as it stands", async () => {
    const { server, run } = await aWorld();
    server.script(CHAT.full, MESSAGES.ok("Rayleigh"));
    expect(await run(aiSdk)).toContain("Rayleigh");
    expect(server.received.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/messages"]);
  });
});
