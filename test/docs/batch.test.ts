import fs from "node:fs";
import path from "node:path";
import { isBatchError } from "@busyhour/sdk";
import { readResults } from "@busyhour/sdk/files";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type BatchCommand, makeBatchCommand } from "../faults/support/batch-command.ts";
import { json, startScriptedServer } from "../sdk/support/scripted-server.ts";
import { listBlocks, runSnippet } from "./run-snippet.ts";

const root = path.join(import.meta.dirname, "..", "..");
const page = fs.readFileSync(path.join(root, "docs/batch.md"), "utf8");
const blockOf = (language: string) => listBlocks("docs/batch.md", language)[0] ?? "";

let command: BatchCommand;
beforeAll(async () => {
  command = await makeBatchCommand();
});
afterAll(() => command.remove());

async function aProvider() {
  const provider = await startScriptedServer();
  onTestFinished(() => provider.close());
  return provider;
}

describe("docs/batch.md", () => {
  it("has a command that works as it stands, but for the address", async () => {
    const provider = await aProvider();
    const message = { role: "assistant", content: "Rayleigh" };
    provider.script(json(200, { model: "gpt-5-mini", choices: [{ message, finish_reason: "stop" }] }));
    fs.writeFileSync(path.join(command.folder, "prompts.txt"), "Why is the sky blue?\n");
    const args = blockOf("sh").trim().split(" ");
    expect(args.splice(0, 2)).toEqual(["busyhour", "batch"]);
    const real = args.map((arg) => arg.replace("https://api.openai.com", provider.url));
    expect(real).not.toEqual(args);
    expect(await command.start(real, { OPENAI_API_KEY: "k" }).ended).toMatchObject({ code: 0 });
    const results = await readResults(path.join(command.folder, "prompts.results.ndjson"));
    expect(results).toMatchObject([{ outcome: "ok", value: { text: "Rayleigh", model: "gpt-5-mini" } }]);
    expect(provider.received[0]).toMatchObject({
      path: "/v1/chat/completions",
      headers: { authorization: "Bearer k" },
    });
  });

  it("has code that works as it stands", async () => {
    const provider = await aProvider();
    const content = [{ type: "output_text", text: "Rayleigh", annotations: [] }];
    const output = [{ type: "message", id: "m1", role: "assistant", content }];
    provider.script(
      json(200, { id: "r1", object: "response", status: "completed", model: "gpt-5-mini", output }),
    );
    fs.writeFileSync(path.join(command.folder, "questions.ndjson"), '{"question":"Why is the sky blue?"}\n');
    const stdout = await runSnippet(blockOf("ts"), command.folder, {
      OPENAI_API_KEY: "k",
      OPENAI_BASE_URL: `${provider.url}/v1`,
    });
    expect(stdout).toMatch(/done: 1,\s+failed: 0,\s+earlier: 0,\s+isComplete: true/);
    const results = await readResults(path.join(command.folder, "answers.ndjson"));
    expect(results).toMatchObject([{ id: 0, outcome: "ok", value: "Rayleigh", attempts: 1 }]);
  });

  it("has every option, every kind of error, and the defaults", () => {
    const typesOf = (file: string) => fs.readFileSync(path.join(root, "sdk/src/batch", file), "utf8");
    const [, options = ""] = /interface BatchOptions[\s\S]*?\{([\s\S]*?)\n\}/.exec(typesOf("types.ts")) ?? [];
    const names = [...options.matchAll(/readonly (\w+)\??:/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => name !== "system" && !page.includes(`\`${name}\``))).toEqual([]);
    const [, kinds = ""] = /type BatchErrorKind =([\s\S]*?);/.exec(typesOf("batch-error.ts")) ?? [];
    const all = [...kinds.matchAll(/"(\w+)"/g)].map(([, kind]) => kind);
    expect(
      [...page.matchAll(/^\| `(\w+)` +\| [A-Z]/gm)]
        .map(([, kind]) => kind)
        .filter((kind) => all.includes(kind)),
    ).toEqual(all);
    expect(isBatchError(new Error("no"))).toBe(false);
  });
});
