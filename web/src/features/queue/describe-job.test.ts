import { describe, expect, it } from "vitest";
import {
  JOB_STATES,
  type Job,
  LIFE_KINDS,
  type LifeEvent,
  WAIT_REASONS,
} from "../../../../server/contract/job.ts";
import { createFormats } from "../../messages/formats.ts";
import { queueEn } from "../../messages/queue-en.ts";
import { queueZh } from "../../messages/queue-zh.ts";
import { nameCalls, nameJob, nameState, tellEvent, tellWhy } from "./describe-job.ts";
import { JOB_STATES_SHOWN } from "./job-states.ts";
import { changeFilter, readFilter } from "./use-job-filter.ts";

const formats = createFormats("en", "UTC");
const AT = "2026-11-25T18:30:00.000Z";
const aJob = (parts: Partial<Job> = {}) =>
  ({
    id: 7,
    state: "waiting",
    wait: null,
    key: null,
    reference: null,
    isCancelAsked: false,
    notAfter: null,
    expectedMs: 1,
    ...parts,
  }) as Job;
const anEvent = (parts: Partial<LifeEvent>): LifeEvent => ({
  at: AT,
  is: "queued",
  reason: null,
  until: null,
  worker: null,
  since: null,
  detail: null,
  ...parts,
});

it("names a job by its key, else its reference, else its number", () => {
  expect(nameJob(aJob({ key: "a", reference: "b" }))).toBe("a");
  expect(nameJob(aJob({ reference: "b" }))).toBe("b");
  expect(nameJob(aJob())).toBe("#7");
});

it("names whom it calls; an endpoint only where one is named", () => {
  const target = { provider: "acme", model: "large", endpoint: null };
  expect(nameCalls({ target: null, chain: null }, queueEn)).toBeNull();
  expect(nameCalls({ target: null, chain: "chat" }, queueEn)).toBe("chain chat");
  expect(nameCalls({ target, chain: null }, queueEn)).toBe("large");
  expect(nameCalls({ target: { ...target, endpoint: "eu" }, chain: null }, queueEn)).toBe("large @ eu");
});

describe("why", () => {
  it("a waiting job waits, until when, and what is expected then", () => {
    const wait = { reason: "beforeWindow", since: null, until: AT, expected: 0.004 } as const;
    expect(tellWhy(aJob({ wait }), queueEn, formats)).toBe(
      "for the next good window, until Wed 25 Nov, 18:30, 0.4\u202f% expected",
    );
    const late = { wait, notAfter: "2026-11-25T18:31:00.000Z", expectedMs: 60_000 };
    expect(tellWhy(aJob(late), queueEn, formats)).toBe(
      "for the next good window, at the latest Wed 25 Nov, 18:30",
    );
  });

  it("a worker has it, a result is there, or an error was the last", () => {
    const leased = aJob({ state: "leased", worker: "box", leasedUntil: AT, isCancelAsked: true });
    expect(tellWhy(leased, queueEn, formats)).toBe("box, until Wed 25 Nov, 18:30");
    expect(nameState(leased, queueEn)).toBe("being done, to be cancelled");
    expect(tellWhy(aJob({ state: "completed", result: { reference: "s3://x" } }), queueEn, formats)).toBe(
      "s3://x",
    );
    expect(tellWhy(aJob({ state: "dead", error: "empty" }), queueEn, formats)).toBe("empty");
  });
});

it("tells an event's worker, how long it had it, and its words; of people who did it", () => {
  const failed = anEvent({ is: "failed", worker: "box", since: "2026-11-25T18:29:00.000Z", detail: "half" });
  expect(tellEvent(failed, queueEn, formats)).toEqual([
    "the attempt failed",
    `worker box, after ${formats.duration(60_000)}, half`,
  ]);
  expect(tellEvent(anEvent({ is: "cancelled", detail: "Ada" }), queueEn, formats)).toEqual([
    "cancelled",
    "by Ada",
  ]);
  expect(tellEvent(anEvent({ is: "held", reason: "episode" }), queueEn, formats)).toEqual([
    "held",
    "its target is short of room",
  ]);
});

it("has words for every state, reason and event in each language", () => {
  for (const { states, reasons, life } of [queueEn, queueZh]) {
    expect(Object.keys(states).sort()).toEqual([...JOB_STATES].sort());
    expect(Object.keys(reasons).sort()).toEqual([...WAIT_REASONS].sort());
    expect(Object.keys(life.events).sort()).toEqual([...LIFE_KINDS].sort());
  }
  expect([...JOB_STATES_SHOWN]).toEqual([...JOB_STATES]);
});

it("reads the filter from an address and changes part of it, leaving the rest", () => {
  expect(readFilter("project=a&queue=q&state=")).toEqual({
    state: null,
    queue: "q",
    submitter: null,
    key: null,
  });
  expect(changeFilter("project=a&queue=q&key=k", { queue: "", submitter: "s&t" })).toBe(
    "project=a&key=k&submitter=s%26t",
  );
});
