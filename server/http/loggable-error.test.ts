import { expect, it } from "vitest";
import { toLoggable } from "./loggable-error.ts";

it("keeps what failed and where, and none of the values", () => {
  const cause = Object.assign(new Error('new row for relation "x" violates check constraint "y"'), {
    code: "23514",
    detail: "Failing row contains (1, a planted text).",
    parameters: ["a planted text"],
  });
  const error = new Error("Failed query: insert into x values ($1)\nparams: a planted text", { cause });
  const logged = toLoggable(Object.assign(error, { params: ["a planted text"], query: "insert into x" }));
  expect(logged).toMatchObject({
    type: "Error",
    message: "Failed query: insert into x values ($1)",
    cause: { code: "23514", message: expect.stringContaining("check constraint") },
  });
  expect(logged.stack[0]).toMatch(/^at .*loggable-error\.test\.ts/);
  expect(JSON.stringify(logged)).not.toContain("planted");
});

it("takes whatever is thrown", () => {
  expect(toLoggable("a planted text")).toEqual({ type: "string", message: "", stack: [] });
  const endless = new Error("a");
  endless.cause = endless;
  expect(JSON.stringify(toLoggable(endless)).length).toBeLessThan(20_000);
});
