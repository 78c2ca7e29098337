import { describe, expect, it } from "vitest";
import { createPasswordHasher } from "./password-hash.ts";

const passwords = createPasswordHasher();
const quick = createPasswordHasher({ ln: 4, r: 8, p: 1 });

describe("a password", () => {
  it("fits its own hash alone, which is another one each time and carries its cost", async () => {
    const [first, second] = [await passwords.hash("correct horse"), await passwords.hash("correct horse")];
    expect(first).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(first).not.toBe(second);
    expect(await passwords.verify("correct horse", first)).toBe(true);
    expect(await passwords.verify("correct horses", first)).toBe(false);
    expect(await passwords.verify("", first)).toBe(false);
  });

  it("fits a hash of another cost, so that the cost can be raised", async () => {
    expect(await passwords.verify("correct horse", await quick.hash("correct horse"))).toBe(true);
  });

  it("is the same in composed and decomposed letters", async () => {
    expect(await quick.verify("u\u0308ber alles", await quick.hash("\u00fcber alles"))).toBe(true);
  });

  it("never fits where none is stored, or what is stored is no hash", async () => {
    expect(await quick.verify("x", null)).toBe(false);
    expect(await quick.verify("x", "x")).toBe(false);
  });
});

it("many at once are all answered", async () => {
  const hash = await quick.hash("one of many");
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => quick.verify(i % 2 === 0 ? "one of many" : "another", hash)),
  );
  expect(answers).toEqual(Array.from({ length: 20 }, (_, i) => i % 2 === 0));
});
