import { expect, it } from "vitest";
import { USUAL_RULES } from "../server/alerts/usual-rules.ts";
import { channelWordsOf } from "../server/channels/words/words.ts";
import { alertsEn } from "../web/src/messages/alerts-en.ts";
import { alertsZh } from "../web/src/messages/alerts-zh.ts";

const CHINESE = /^\p{Script=Han}+$/u;

it("the usual rules have a name in each language, the same on pages and in channels; people's own stay", () => {
  expect(USUAL_RULES.length).toBeGreaterThan(5);
  for (const { rule } of USUAL_RULES) {
    expect(alertsZh.ruleName(rule.name)).toMatch(CHINESE);
    expect(channelWordsOf("zh").ruleName(rule.name)).toBe(alertsZh.ruleName(rule.name));
    expect([alertsEn.ruleName(rule.name), channelWordsOf("en").ruleName(rule.name)]).toEqual([
      rule.name,
      rule.name,
    ]);
  }
  for (const name of ["Ours", "valueOf"]) {
    expect([alertsZh.ruleName(name), channelWordsOf("zh").ruleName(name)]).toEqual([name, name]);
  }
});
