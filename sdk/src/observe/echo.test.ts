import { describe, expect, it } from "vitest";
import { withoutEchoes } from "./echo.ts";

const request = JSON.stringify({
  model: "gpt-x-2026-01",
  max_tokens: 9000,
  messages: [
    {
      role: "user",
      content: 'Tell "Bob" of the secret merger.\nCode HX-7781-QQ, mail a1@example.com, 我们明天收购海象公司',
    },
  ],
});
const hide = (message: string) => withoutEchoes(message, request, "gpt-x-2026-01");

describe("a provider's words", () => {
  it.each([
    ["Blocked: 'of the secret merger'", "Blocked: '…'"],
    ["Blocked: of the secret merger. Sorry", "Blocked: … Sorry"],
    ['Invalid value "HX-7781-QQ" in messages[0]', 'Invalid value "…" in messages[0]'],
    ["Invalid value HX-7781-QQ in messages[0]", "Invalid value … in messages[0]"],
    ["No mail to a1@example.com allowed", "No mail to … allowed"],
    ["内容被拦截：我们明天收购海象公司，请修改", "内容被拦截：…，请修改"],
    ["The model gpt-x-2026-01 is overloaded", "The model gpt-x-2026-01 is overloaded"],
    ["'max_tokens' is too large: 9000", "'max_tokens' is too large: 9000"],
    [
      "Rate limit reached for gpt-x-2026-01 on tokens per min",
      "Rate limit reached for gpt-x-2026-01 on tokens per min",
    ],
  ])("%s", (message, expected) => {
    expect(hide(message)).toEqual(expected);
  });

  it("are cut", () => {
    expect(hide("x ".repeat(1_000))).toHaveLength(300);
    expect(withoutEchoes("x".repeat(1_000), null, null)).toHaveLength(300);
  });
});
