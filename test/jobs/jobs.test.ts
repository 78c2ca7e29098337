import pino from "pino";
import { describe, expect, it, vi } from "vitest";
import { releaseLeases, takeLease } from "../../server/jobs/lease.ts";
import { startJobs } from "../../server/jobs/schedule.ts";
import { createTestDatabase } from "../support/database.ts";

const { sql } = await createTestDatabase();
const log = pino({ level: "silent" });
/** A nudge waits for the ones before it to cease, so they must not come too often. */
const EVERY_NUDGE = { timeout: 20_000, interval: 2_500 };
const job = (name: string, run: () => Promise<unknown>) => ({
  name,
  cron: "0 0 0 1 1 *",
  everyMs: 10_000,
  run,
});

describe("a lease", () => {
  it("is one server's until it runs out or is given up", async () => {
    expect(await takeLease(sql, "a", "first", 60_000)).toBe(true);
    expect(await takeLease(sql, "a", "second", 60_000)).toBe(false);
    expect(await takeLease(sql, "a", "first", 60_000)).toBe(true);
    expect(await takeLease(sql, "b", "second", 60_000)).toBe(true);
    await sql`update job_lease set expires_at = now() - interval '1 second' where name = 'a'`;
    expect(await takeLease(sql, "a", "second", 60_000)).toBe(true);
    await releaseLeases(sql, "second");
    expect(await takeLease(sql, "a", "first", 60_000)).toBe(true);
  });

  it("goes to exactly one of many that ask at once", async () => {
    const taken = await Promise.all(
      Array.from({ length: 8 }, (_, i) => takeLease(sql, "race", `server ${i}`, 60_000)),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
  });
});

describe("jobs", () => {
  it("run on one server at a time, and on the other once the first has stopped", async () => {
    const ran: string[] = [];
    const first = startJobs(sql, [job("shared", async () => ran.push("first"))], { now: Date.now, log });
    first.nudge("shared");
    await vi.waitFor(() => expect(ran).toEqual(["first"]), 5_000);
    const second = startJobs(sql, [job("shared", async () => ran.push("second"))], { now: Date.now, log });
    second.nudge("shared");
    await first.stop();
    // Once the lease is given up, the next nudge gets it.
    await vi.waitFor(() => {
      second.nudge("shared");
      expect(ran).toContain("second");
    }, EVERY_NUDGE);
    await second.stop();
  });

  it("that fail are tried again, and do not end the others", async () => {
    let calls = 0;
    const scheduler = startJobs(
      sql,
      [
        job("failing", async () => {
          calls++;
          throw new Error("a bug");
        }),
      ],
      { now: Date.now, log },
    );
    await vi.waitFor(() => {
      scheduler.nudge("failing");
      expect(calls).toBeGreaterThanOrEqual(2);
    }, EVERY_NUDGE);
    await scheduler.stop();
  });

  it("that run are waited for by stop, and none starts afterwards", async () => {
    let finish = () => {};
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const seen: string[] = [];
    const slow = job("slow", async () => {
      seen.push("begun");
      await gate;
      seen.push("done");
    });
    const scheduler = startJobs(sql, [slow], { now: Date.now, log });
    scheduler.nudge("slow");
    await vi.waitFor(() => expect(seen).toEqual(["begun"]), 5_000);
    const stopped = scheduler.stop().then(() => seen.push("stopped"));
    finish();
    await stopped;
    scheduler.nudge("slow");
    expect(seen).toEqual(["begun", "done", "stopped"]);
  });
});
