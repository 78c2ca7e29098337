import { describe, expect, it } from "vitest";
import type { Sql } from "../../db/connect.ts";
import { createExplain, type Trouble } from "./explain.ts";

const TROUBLE: Trouble = {
  project: { id: 1, timeZone: "UTC" },
  subject: { provider: "acme", model: "large" },
  of: "attempts",
  outcomes: ["capacity"],
  sinceMs: 0,
  nowMs: 3_600_000,
};

function explainBy(statement: () => Promise<never>, limitMs?: number) {
  const warnings: string[] = [];
  const log = { warn: (parts: { what: string }) => warnings.push(parts.what) };
  // Parts of statements are made, and never awaited.
  const ask = () => {
    const answer = statement();
    answer.catch(() => {});
    return answer;
  };
  const sql = Object.assign(ask, { unsafe: ask }) as unknown as Sql;
  const limit = limitMs === undefined ? {} : { limitMs };
  return { warnings, explain: createExplain({ sql, kept: { ask }, log: log as never, ...limit }) };
}

describe("an explanation", () => {
  it("that fails leaves the alert without one", async () => {
    const { explain, warnings } = explainBy(() => Promise.reject(new Error("the database is away")));
    expect(await explain(TROUBLE)).toEqual({ cause: null, order: null });
    expect(warnings.sort()).toEqual(["cause", "order"]);
  });

  it("that fails at once does not fail the alert either", async () => {
    const { explain } = explainBy(() => {
      throw new TypeError("a bug");
    });
    expect(await explain(TROUBLE)).toEqual({ cause: null, order: null });
  });

  it("that takes too long is not waited for", async () => {
    const { explain, warnings } = explainBy(() => new Promise(() => {}), 1);
    expect(await explain(TROUBLE)).toEqual({ cause: null, order: null });
    expect(warnings.sort()).toEqual(["cause", "order"]);
  });

  it("is not looked for where it is not about room", async () => {
    const { explain, warnings } = explainBy(() => Promise.reject(new Error("was asked")));
    expect(await explain({ ...TROUBLE, outcomes: ["auth"] })).toEqual({ cause: null, order: null });
    expect(warnings).toEqual([]);
  });
});
