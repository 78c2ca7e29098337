import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { findText } from "./find-text.ts";
import { json } from "./json.ts";
import { text } from "./text.ts";
import { unwrapJson } from "./unwrap-json.ts";

const FENCE = "```";

describe("JSON in an answer", () => {
  it.each([
    ["bare", '{"n":1}', "bare"],
    ["with a byte order mark", '\uFEFF{"n":1}', "bare"],
    ["in a fence", `${FENCE}json\n{"n":1}\n${FENCE}`, "fence"],
    ["in a fence without a tag", `${FENCE}\n{"n":1}\n${FENCE}`, "fence"],
    ["in a fence of four", `${FENCE}\`json\n{"n":1}\n${FENCE}\``, "fence"],
    ["in tildes", '~~~json\n{"n":1}\n~~~', "fence"],
    ["in a fence of typographic quotes", '‘‘‘json\n{"n":1}\n’’’', "fence"],
    ["after a sentence", `Here you are:\n\n${FENCE}json\n{"n":1}\n${FENCE}`, "fence"],
    ["before a sentence", `${FENCE}json\n{"n":1}\n${FENCE}\nHope it helps! {smile}`, "fence"],
    ["between sentences", 'The answer is {"n":1}, I think.', "prose"],
    ["with a mark inside of the fence", `${FENCE}json\n\uFEFF{"n":1}\n${FENCE}`, "fence"],
    [
      "beside a shell block",
      `${FENCE}bash\necho '{"n":2}'\n${FENCE}\n${FENCE}json\n{"n":1}\n${FENCE}`,
      "fence",
    ],
    ["beside a shell block, in prose", `${FENCE}sh\necho '{"n":2}'\n${FENCE}\nso {"n":1}`, "prose"],
    ["said twice", `{"n":1}\n\nthat is ${FENCE}\n\n{"n": 1}`, "prose"],
    ["with a comma too many", '{"n":1,}', "mended"],
    ["with Windows line ends", `${FENCE}json\r\n{"n":1}\r\n${FENCE}`, "fence"],
  ])("is found %s", (_, answer, path) => {
    expect(unwrapJson(answer)).toEqual({ value: { n: 1 }, path });
  });

  it.each([
    ["nothing", ""],
    ["prose alone", "I cannot do that [1]."],
    ["a fence of another language", `${FENCE}python\n{"n":1}\n${FENCE}`],
    ["two that differ", '{"n":1} or {"n":2}'],
    ["two fences that differ", `${FENCE}json\n{"n":1}\n${FENCE}\n${FENCE}json\n{"n":2}\n${FENCE}`],
    ["one that was cut off", '{"n":1, "m": [1, 2'],
    ["single quotes", "{'n': 1}"],
    ["a word in prose", "The result is true"],
  ])("is not found in %s", (_, answer) => {
    expect(unwrapJson(answer)).toBeNull();
  });

  it("keeps commas inside of strings", () => {
    expect(unwrapJson('{"n":"a,]","m":[1,],}')?.value).toEqual({ n: "a,]", m: [1] });
  });

  it("of any kind comes back out of a fence and out of prose as it was", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const written = JSON.stringify(value, null, 2);
        const back = JSON.parse(written);
        expect(unwrapJson(`Sure!\n${FENCE}json\n${written}\n${FENCE}\nDone.`)?.value).toEqual(back);
        expect(unwrapJson(`Sure: ${JSON.stringify(value)}`)?.value).toEqual(back);
      }),
    );
  });

  it("is looked for in no time, whatever the answer", () => {
    const started = performance.now();
    for (const answer of [
      "{".repeat(100_000),
      '"'.repeat(100_000),
      "[{".repeat(50_000),
      `${FENCE}json\n`.repeat(20_000),
    ])
      unwrapJson(answer);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe("json(schema)", () => {
  const check = json(z.object({ items: z.array(z.object({ price: z.coerce.number() })) }));

  it("gives what the schema makes of the answer", async () => {
    const answer = {
      choices: [{ message: { content: `${FENCE}json\n{"items":[{"price":"3.5"}]}\n${FENCE}` } }],
    };
    expect(await check(answer)).toEqual({ ok: true, value: { items: [{ price: 3.5 }] }, path: "fence" });
  });

  it("says where an answer does not fit", async () => {
    const refused = await check('{"items":[{"price":"x"}]}');
    expect(refused).toMatchObject({ ok: false });
    expect((refused as { why: string }).why).toContain("/items/0/price");
  });

  it("only validates an answer that is parsed already", async () => {
    expect(await check({ items: [] })).toMatchObject({ ok: true, value: { items: [] } });
    expect(await json(z.object({ text: z.string() }))({ text: "no JSON" })).toMatchObject({ ok: true });
  });
});

describe("text()", () => {
  it("refuses an empty answer only when that is asked", () => {
    expect(text()(" ")).toEqual({ ok: true, value: " " });
    expect(text({ nonEmpty: true })(" \n")).toMatchObject({ ok: false });
    expect(text()({ choices: [] })).toMatchObject({ ok: false });
  });

  it.each([
    ["OpenAI chat", { choices: [{ message: { content: "hi" } }] }],
    ["OpenAI completions", { choices: [{ text: "hi" }] }],
    ["OpenAI Responses", { output_text: "hi" }],
    [
      "Responses without its short cut",
      { output: [{ type: "reasoning" }, { content: [{ type: "output_text", text: "hi" }] }] },
    ],
    [
      "Anthropic",
      {
        content: [
          { type: "thinking", thinking: "…" },
          { type: "text", text: "hi" },
        ],
      },
    ],
    ["Google", { candidates: [{ content: { parts: [{ text: "why", thought: true }, { text: "hi" }] } }] }],
    ["Bedrock Converse", { output: { message: { content: [{ text: "hi" }] } } }],
    ["the AI SDK", { text: "hi" }],
    ["anything that is text", "hi"],
  ])("is found in answers of %s", (_, answer) => {
    expect(findText(answer)).toBe("hi");
  });
});
