import fs from "node:fs";
import path from "node:path";
import { readResults } from "@busyhour/sdk/files";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BatchCommand, makeBatchCommand } from "../faults/support/batch-command.ts";
import { json, type ScriptedServer, signal, startScriptedServer } from "../sdk/support/scripted-server.ts";

let command: BatchCommand;
let provider: ScriptedServer;
let files = 0;
beforeAll(async () => {
  command = await makeBatchCommand();
});
afterAll(() => command.remove());
beforeEach(async () => {
  provider = await startScriptedServer();
});
afterEach(() => provider.close());

function aFile(text: string, end = "txt"): string {
  const file = path.join(command.folder, `input-${files++}.${end}`);
  fs.writeFileSync(file, text);
  return file;
}
const outputOf = (input: string) => input.replace(/\.\w+$/, ".results.ndjson");
const args = (input: string, ...more: string[]) => [
  "--input",
  input,
  "--url",
  provider.url,
  "--model",
  "m",
  ...more,
];
const run = (input: string, ...more: string[]) => command.start(args(input, ...more)).ended;
const answer = (text: string) =>
  json(200, {
    model: "m-1",
    choices: [{ message: { content: text }, finish_reason: "stop" }],
    usage: { total_tokens: 3 },
  });

describe("busyhour batch", () => {
  it("asks for each line, and writes what came", async () => {
    const input = aFile("one\n\ntwo\n");
    provider.script(answer("1"), answer("2"));
    const process = command.start(
      args(input, "--concurrency", "1", "--key-env", "MY_KEY", "--system", "Be brief"),
      { MY_KEY: "sk-1" },
    );
    const { code, stderr } = await process.ended;
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`2 finished; 0 failed. Results: ${outputOf(input)}`),
    ]);
    expect(
      provider.received.map(({ path, headers, body }) => [path, headers.authorization, JSON.parse(body)]),
    ).toEqual(
      ["one", "two"].map((content) => [
        "/v1/chat/completions",
        "Bearer sk-1",
        {
          model: "m",
          messages: [
            { role: "system", content: "Be brief" },
            { role: "user", content },
          ],
        },
      ]),
    );
    expect(await readResults(outputOf(input))).toMatchObject([
      { id: 0, outcome: "ok", value: { text: "1", model: "m-1", finishReason: "stop" } },
      { id: 1, value: { text: "2", usage: { total_tokens: 3 } } },
    ]);
    expect(fs.readFileSync(outputOf(input), "utf8")).not.toContain("sk-1");
  });

  it("goes on with --resume, not without, and not with other settings", async () => {
    const input = aFile('{"id":"a","prompt":"one"}\n{"id":"b","prompt":"two"}\n', "ndjson");
    provider.script(
      answer("1"),
      json(400, { error: { message: "Invalid value", type: "invalid_request_error" } }),
    );
    expect(await run(input, "--concurrency", "1")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("1 failed"),
    });
    expect(await run(input)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Go on with --resume, or name another --output."),
    });
    expect(await run(input, "--resume")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("2 finished, 2 of them before"),
    });
    expect(await run(input, "--resume", "--system", "x")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is not the one whose result is in .*--system/),
    });
    expect(provider.received).toHaveLength(2);
    provider.script(answer("2"));
    expect(await run(input, "--retry-failed")).toMatchObject({ code: 0 });
    expect((await readResults(outputOf(input))).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("waits as long as it is told, and says why", async () => {
    const input = aFile("one\n");
    const full = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    provider.script(json(529, full, { "retry-after": "1" }), answer("1"));
    const { code, stderr } = await run(input);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/waiting 0:0[12]: the model has no room/)]);
  });

  it("stops for a bad key, and says so without the key", async () => {
    const input = aFile("one\ntwo\nthree\nfour\n");
    const refusal = {
      error: { message: "Incorrect API key provided: sk-secretsecretsecret1", code: "invalid_api_key" },
    };
    provider.script(...Array.from({ length: 4 }, () => json(401, refusal)));
    const { code, stderr } = await run(input, "--concurrency", "1");
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/The key is not accepted \(auth: .*--resume goes on from there/s),
    ]);
    expect(stderr).not.toContain("sk-secret");
    expect(provider.received).toHaveLength(1);
  });

  it("says where the input is wrong, before anything is asked", async () => {
    const input = aFile('{"prompt":"one"}\n{"text":"two"}\n', "ndjson");
    expect(await run(input)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${input}, line 2 has neither “prompt”`),
    });
    expect(await run("no.txt")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Cannot read no.txt"),
    });
    expect(await run(aFile("one\n"), "--url", "here")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--url here is no address"),
    });
    expect(await run(aFile("one\n"), "--key-env", "NO_KEY")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("NO_KEY of --key-env is empty"),
    });
    expect(provider.received).toHaveLength(0);
  });

  it("refuses a second process on the same output; Ctrl-C lets the first finish what is under way", async () => {
    const input = aFile("one\ntwo\nthree\n");
    const [arrived, go] = [signal(), signal()];
    provider.script(async (response, request) => {
      arrived.give();
      await go.given;
      await answer("1")(response, request);
    });
    const first = command.start(args(input, "--concurrency", "1"));
    await arrived.given;
    expect(await run(input, "--resume")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`in use by process ${first.child.pid}`),
    });
    const ending = new Promise<void>((resolve) =>
      first.child.stderr?.on("data", (text: string) => text.includes("Ending:") && resolve()),
    );
    first.child.kill("SIGINT");
    await ending;
    go.give();
    expect(await first.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining("Not complete: the same command with --resume"),
    });
    expect(await readResults(outputOf(input))).toMatchObject([{ id: 0, outcome: "ok" }]);
    provider.script(answer("2"), answer("3"));
    expect(await run(input, "--resume", "--concurrency", "1")).toMatchObject({ code: 0 });
    expect(fs.existsSync(`${outputOf(input)}.lock`)).toBe(false);
  });
});
