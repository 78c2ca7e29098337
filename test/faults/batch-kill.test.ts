import { expect, test } from "vitest";
import { runBatchKillRounds } from "./support/batch-kill-rounds.ts";

test("kill -9 of a batch at random instants loses no item, doubles none, and repeats only what was under way", async () => {
  const report = await runBatchKillRounds(5);
  expect(report).toMatchObject({ items: 360, wrong: 0, repeatedTooOften: 0, code: 0 });
  for (const { inFlight } of report.rounds) expect(inFlight).toBeLessThanOrEqual(report.concurrency);
  expect(report.rounds.some(({ inFlight }) => inFlight > 0)).toBe(true);
}, 60_000);
