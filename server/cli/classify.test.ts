import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { classifyCommand } from "./classify.ts";

/** What the command says to one input. */
async function run(input: string | string[], ...flags: string[]) {
  const seen = { out: "", said: [] as string[], code: 0 };
  const command = classifyCommand({
    stdin: Readable.from(typeof input === "string" ? [input] : input),
    stdout: { write: (text: string) => (seen.out += text) },
    say: (line) => seen.said.push(line),
    setExitCode: (code) => {
      seen.code = code;
    },
  });
  await command.parseAsync(flags, { from: "user" });
  return seen;
}

const parseAll = (out: string) =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("busyhour classify", () => {
  it("answers each line with the whole verdict, its id kept, and nulls where nothing is known", async () => {
    const { out, said, code } = await run(
      '{"id":"a","provider":"zhipu","status":429,"body":{"error":{"code":"1113"}}}\n' +
        '{"id":7,"status":429,"headers":{"Retry-After":"3"},"body":null,"exception":null,"surface":"http"}\n',
    );
    expect(parseAll(out)).toEqual([
      {
        id: "a",
        outcome: "quota",
        rule: "zhipu/quota",
        severity: "hard",
        retryable: false,
        retryAfterMs: null,
        scope: "account",
        switchHelps: true,
        providerCode: "1113",
        status: 429,
      },
      {
        id: 7,
        outcome: "rate_limit",
        rule: "status/rate_limit",
        severity: "soft",
        retryable: true,
        retryAfterMs: 3_000,
        scope: "model",
        switchHelps: true,
        providerCode: null,
        status: 429,
      },
    ]);
    expect([said, code]).toEqual([[], 0]);
  });

  it("says of each bad line what is wrong and where, and reads on", async () => {
    const { out, said, code } = await run(
      'nonsense\n{"id":1,"exception":"fetch failed"}\n\n[1]\n{"status":"429","body":""}\n{"headers":3}\n{"body":"x","model":4}\n' +
        '{"id":2,"status":503,"body":""}',
    );
    expect(parseAll(out).map(({ id, outcome }) => [id, outcome])).toEqual([
      [1, "network"],
      [2, "capacity"],
    ]);
    expect(said.map((line) => line.replace(/no JSON: .*/, "no JSON"))).toEqual([
      "Standard input, line 1 is no JSON",
      'Standard input, line 4 is no object. Each line is one, such as {"id":1,"status":429,"body":…}.',
      'Standard input, line 5 "status" is "429"; it is a number from 100 to 599, or left out.',
      'Standard input, line 6 "headers" is no object; it is one such as {"retry-after":"3"}, or left out.',
      'Standard input, line 7 "model" is 4; it is a text, or left out.',
    ]);
    expect(code).toBe(3);
  });

  it.each([
    [
      "a client's text",
      "openai.RateLimitError: Error code: 429 - {'error': {'message': 'engine overloaded'}}\n",
      "capacity",
    ],
    ["a body", '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "capacity"],
    ["a body over many lines", '{\n "status": 401,\n "title": "Unauthorized"\n}\n', "auth"],
    ["an answer as curl prints it", "HTTP/1.1 529 \r\nserver: x\r\n\r\n{}\n", "capacity"],
    ["one of ours over many lines", '{\n "status": 429,\n "body": "insufficient_quota"\n}\n', "quota"],
    ["a page", "<html>\n<head><title>504 Gateway Time-out</title></head>\n</html>", "timeout"],
  ])("takes %s pasted as it is", async (_, text, outcome) => {
    const { out, code } = await run(text);
    expect([parseAll(out)[0].outcome, code]).toEqual([outcome, 0]);
  });

  it("says what is wrong with one of ours over many lines", async () => {
    const { out, said, code } = await run('{\n "status": "429",\n "body": ""\n}\n');
    expect([out, said, code]).toEqual([
      "",
      ['Standard input "status" is "429"; it is a number from 100 to 599, or left out.'],
      3,
    ]);
  });

  it("reads a line that comes in pieces", async () => {
    const { out } = await run(['{"id":1,"exc', 'eption":"read ECONN', 'RESET"}\n']);
    expect(parseAll(out)[0]).toMatchObject({ id: 1, outcome: "network" });
  });

  it("says that there was nothing", async () => {
    expect(await run("\n \n")).toEqual({
      out: "",
      said: ["Standard input is empty: nothing to classify."],
      code: 3,
    });
  });

  it("explains to a person which rule decided, why, and what to do now", async () => {
    const { out } = await run("429 The engine is overloaded, retry after 90 seconds", "--explain");
    expect(out).toContain(
      "capacity (no room at the provider)\n  rule: generic/capacity — The provider has no room",
    );
    expect(out).toMatch(/\n {2}why: .*shared capacity.*\n {2}now: Try again .*\n/);
    expect(out).toContain("  stated wait: 1 min 30 s\n");
  });

  it("explains in Chinese", async () => {
    const { out } = await run('{"id":"x","status":401,"body":""}', "--explain", "--language", "zh");
    expect(out).toContain("x: auth (密钥无效)\n");
    expect(out).toContain("  原样重试: 无用\n");
  });

  it("names a file that it cannot read", async () => {
    await expect(run("", "/no/such/file.jsonl")).rejects.toThrow(
      /^Cannot read \/no\/such\/file.jsonl: ENOENT/,
    );
  });
});
