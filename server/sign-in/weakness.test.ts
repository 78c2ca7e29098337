import { expect, it } from "vitest";
import { describeWeakness } from "./weakness.ts";

it.each([
  ["aaaaaaaaaaaa", "is of too few different characters"],
  ["Maria@example.org", "is the e-mail address"],
  ["123456789012", "is among the first that are tried"],
  ["passwordpassword1", "is among the first that are tried"],
  ["a fine day for tea", null],
])("%s: %s", (password, weakness) => {
  expect(describeWeakness(password, "maria@example.org")).toBe(weakness);
});
