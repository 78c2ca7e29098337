import { expect, test } from "vitest";
import { runKillRounds } from "./support/kill-rounds.ts";

test("kill -9 of the server or its database loses nothing that was acknowledged, and doubles nothing", async () => {
  const rounds = await runKillRounds(3, () => {});
  for (const { acknowledged, failures, ...counted } of rounds) {
    expect(acknowledged).toBeGreaterThan(0);
    expect(counted).toMatchObject({ stored: acknowledged, lost: 0, doubled: 0, wrongBuckets: 0 });
    // A killed server gives no answer; one whose database is away says so, and nothing else.
    expect([...failures.keys()].filter((answer) => answer !== "503" && answer !== "none")).toEqual([]);
  }
}, 120_000);
