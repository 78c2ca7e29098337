import { describe, expect, it } from "vitest";
import type { Job } from "../contract/job.ts";
import { formatJob, formatLife } from "./jobs.ts";

const JOB: Job = {
  id: 41,
  state: "waiting",
  wait: { reason: "beforeWindow", since: null, until: "2026-11-30T02:00:00.000Z", expected: 0.008 },
  queue: "classify",
  submitter: "nightly",
  priority: "normal",
  key: null,
  reference: "s3://docs/1",
  when: "offPeak",
  notAfter: null,
  expectedMs: 60_000,
  target: null,
  chain: "default",
  payloadBytes: null,
  submittedAt: "2026-11-29T12:00:00.000Z",
  attempts: 0,
  failures: 0,
  busy: 0,
  maxAttempts: 5,
  worker: null,
  leasedAt: null,
  leasedUntil: null,
  isCancelAsked: false,
  finishedAt: null,
  result: null,
  error: null,
  notify: null,
};

describe("a job in a line", () => {
  it("says what it is and why it waits, who has it, or how it ended", () => {
    expect(formatJob(JOB).split("\t")).toEqual([
      "41",
      "waiting",
      "classify",
      "nightly",
      "s3://docs/1",
      "waits for a good window until 2026-11-30T02:00:00.000Z",
    ]);
    const until = "2026-11-29T12:01:00.000Z";
    expect(formatJob({ ...JOB, state: "leased", wait: null, worker: "box-7", leasedUntil: until })).toContain(
      `with box-7 until ${until}`,
    );
    const dead = { ...JOB, state: "dead", wait: null, finishedAt: until, error: "boom" } as const;
    expect(formatJob({ ...dead, key: "k" })).toBe(`41\tdead\tclassify\tnightly\tk\t${until} boom`);
  });

  it("has its life under it", () => {
    const event = { until: null, worker: null, since: null, detail: null, reason: null };
    const life = [
      { ...event, at: "t1", is: "queued", detail: "nightly" },
      { ...event, at: "t2", is: "held", reason: "beforeWindow", until: "t9" },
      { ...event, at: "t3", is: "leased", worker: "box-7" },
    ] as const;
    expect(
      formatLife({ ...JOB, life: [...life] })
        .split("\n")
        .slice(1),
    ).toEqual([
      "  t1  queued  nightly",
      "  t2  held  waits for a good window  until t9",
      "  t3  leased  by box-7",
      "",
    ]);
  });
});
