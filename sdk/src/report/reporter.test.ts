import { describe, expect, it } from "vitest";
import type { AttemptEvent } from "../attempt-event.ts";
import { ORIGINAL_FETCH } from "./own-request.ts";
import { createReporter } from "./reporter.ts";
import { anEvent, away, type Reply, setUp, status, taken } from "./scripted-server.ts";
import { createVirtualSystem } from "./virtual-system.ts";

describe("batches", () => {
  it("go out some time after the first event, or as soon as they are full", async () => {
    const { report, system, bodies } = setUp({ maxBatchEvents: 3 });
    report(2);
    await system.advance(1_999);
    expect(bodies).toHaveLength(0);
    await system.advance(1);
    expect(bodies.map(({ attempts }) => attempts.length)).toEqual([2]);
    report(3);
    await system.settle();
    expect(bodies.map(({ attempts }) => attempts.length)).toEqual([2, 3]);
  });

  it("are not small because the server answers fast", async () => {
    const { report, system, bodies } = setUp({ maxBatchEvents: 100 });
    for (let second = 0; second < 10; second++) {
      for (let i = 0; i < 10; i++) {
        report(1);
        await system.advance(100);
      }
    }
    await system.advance(2_000);
    expect(bodies.map(({ attempts }) => attempts.length)).toEqual([20, 20, 20, 20, 20]);
  });

  it("carry the key, the mark of a reporter and events with an id, a source and cut texts", async () => {
    const { reporter, system, bodies, requests } = setUp();
    reporter.report(anEvent({ error: { message: `${"x".repeat(1_999)}\u{1f600}${"x".repeat(7_000)}` } }));
    reporter.report(anEvent({ eventId: "mine", source: "other", model: "m" }));
    await system.advance(2_000);
    expect(requests[0]).toMatchObject({
      url: "http://127.0.0.1:8420/v1/attempts",
      init: {
        method: "POST",
        redirect: "manual",
        headers: { authorization: "Bearer bhi_test", "x-busyhour-reporter": "1" },
      },
    });
    const [first, second] = bodies[0]?.attempts ?? [];
    const time = Number(first?.occurredAt).toString(16).padStart(12, "0");
    expect(first?.eventId).toMatch(
      new RegExp(`^${time.slice(0, 8)}-${time.slice(8)}-7[\\da-f]{3}-[89ab][\\da-f]{3}-[\\da-f]{12}$`),
    );
    expect(first).toMatchObject({ source: "app", error: { message: "x".repeat(1_999) } });
    expect(second).toMatchObject({ eventId: "mine", source: "other", model: "m" });
  });

  it("say what an event was when it was reported", async () => {
    const { reporter, system, bodies } = setUp();
    const event = anEvent({ model: "before" });
    reporter.report(event);
    event.model = "after";
    await system.advance(2_000);
    expect(bodies[0]?.attempts[0]?.model).toBe("before");
  });
});

describe("a server that is away", () => {
  it("gets the same time and id again, later each time", async () => {
    const { reporter, report, system, bodies, problems } = setUp({}, away, status(503), away, taken);
    report(2);
    await system.advance(120_000);
    expect(bodies).toHaveLength(4);
    expect(bodies[3]).toEqual(bodies[0]);
    expect(reporter.stats()).toMatchObject({ reported: 2, stored: 2, waiting: 0, dropped: 0 });
    expect(problems).toEqual(["unreachable"]);
  });

  it("is left alone as long as Retry-After says, in seconds or as a date", async () => {
    const { report, system, bodies, script } = setUp({}, status(503, { "retry-after": "20" }));
    report(1);
    await system.advance(2_000);
    await system.advance(19_999);
    expect(bodies).toHaveLength(1);
    script[1] = status(429, { "retry-after": new Date(system.now() + 60_000).toUTCString() });
    await system.advance(1_000);
    expect(bodies).toHaveLength(2);
    await system.advance(58_000);
    expect(bodies).toHaveLength(2);
    script[2] = taken;
    await system.advance(5_000);
    expect(bodies).toHaveLength(3);
  });

  it("costs no more than the limit of memory: the oldest that were never sent go, and are counted by source", async () => {
    const { reporter, report, system, bodies, script, problems } = setUp(
      { maxBatchEvents: 10, maxWaitingEvents: 20 },
      away,
    );
    report(10, { model: "under way" });
    await system.settle();
    report(15, { model: "old", source: "first" });
    report(20, { model: "new" });
    expect(reporter.stats()).toEqual({
      reported: 45,
      adopted: 0,
      stored: 0,
      rejected: 0,
      dropped: 15,
      waiting: 30,
    });
    script.push(taken);
    await system.advance(60_000);
    expect(bodies.slice(1).map(({ attempts }) => attempts.map(({ model }) => model))).toEqual([
      new Array(10).fill("under way"),
      new Array(10).fill("new"),
      new Array(10).fill("new"),
    ]);
    const { reporter: note } = bodies[1] ?? {};
    expect(note).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/), dropped: { first: 15 } });
    expect(bodies[2]?.reporter).toBeUndefined();
    expect(problems).toEqual(["unreachable", "dropped"]);
  });

  it("hears the same count again until it has answered, never a second one", async () => {
    const { report, system, bodies, script } = setUp({ maxBatchEvents: 1, maxWaitingEvents: 1 }, away);
    report(1);
    await system.settle();
    report(4);
    await system.advance(60_000);
    script.push(taken);
    await system.advance(60_000);
    report(1);
    await system.advance(60_000);
    const notes = bodies.map(({ reporter }) => reporter?.dropped["app"]);
    expect(notes.slice(1, -2)).toEqual(notes.slice(1, -2).map(() => 3));
    expect(notes.slice(-2)).toEqual([undefined, undefined]);
  });

  it("does not answer in time: the request is broken off and repeated", async () => {
    const system = createVirtualSystem(
      ((_: unknown, { signal }: RequestInit) =>
        new Promise((_resolve, reject) => {
          calls++;
          signal?.addEventListener("abort", () => reject(new Error("aborted")));
        })) as typeof globalThis.fetch,
    );
    let calls = 0;
    const reporter = createReporter({ url: "http://h", key: "k", timeoutMs: 5_000 }, system);
    reporter.report(anEvent());
    await system.advance(2_000 + 5_000 + 1_000);
    expect(calls).toBe(2);
    expect(system.warnings).toEqual([
      "busyhour: the server did not answer within 5000 ms (unreachable; said once)",
    ]);
    expect(reporter.stats().waiting).toBe(1);
  });
});

describe("the count of drops", () => {
  it("names sources only where the server would take the name, and fifty at most", async () => {
    const { reporter, report, system, bodies } = setUp(
      { maxBatchEvents: 1, maxWaitingEvents: 1 },
      away,
      taken,
    );
    report(1);
    await system.settle();
    for (const source of ["x".repeat(101), "\ud800", "\0", "fine", 7 as unknown as string]) {
      report(1, { source });
    }
    for (let i = 0; i < 60; i++) report(1, { source: `s${i}` });
    await system.advance(60_000);
    const dropped = bodies[1]?.reporter?.dropped ?? {};
    expect(Object.keys(dropped)).toEqual(["", "fine", ...Array.from({ length: 48 }, (_, i) => `s${i}`)]);
    expect(Object.values(dropped).reduce((a, b) => a + b)).toBe(reporter.stats().dropped);
  });
});

describe("what the server says", () => {
  it("401: said once, events stay within their limit, and go on when the key is let in", async () => {
    const { reporter, report, system, script, problems } = setUp({ maxWaitingEvents: 5 }, status(401));
    report(1);
    await system.advance(600_000);
    report(20);
    expect(reporter.stats()).toMatchObject({ waiting: 6, dropped: 15 });
    expect(problems).toEqual(["unauthorized", "dropped"]);
    script.push(taken);
    await system.advance(60_000);
    expect(reporter.stats()).toMatchObject({ stored: 6, waiting: 0 });
  });

  it("413: halves until it fits; a single event that does not is lost", async () => {
    const small: Reply = (body) =>
      body.attempts.length > 3 || body.attempts.some(({ model }) => model === "huge")
        ? (status(413)(body) as Response)
        : taken(body);
    const { reporter, report, system, bodies } = setUp({}, small);
    report(9);
    reporter.report(anEvent({ model: "huge" }));
    await system.advance(2_000);
    expect(reporter.stats()).toMatchObject({ stored: 9, dropped: 1, waiting: 0 });
    report(9);
    await system.advance(2_000);
    expect(reporter.stats()).toMatchObject({ stored: 18, dropped: 1, waiting: 0 });
    const seen = bodies.filter((body) => (small(body) as Response).ok).flatMap(({ attempts }) => attempts);
    expect(new Set(seen.map(({ eventId }) => eventId)).size).toBe(18);
    expect(seen).toHaveLength(18);
  });

  it("422 and 400: tried once more, then lost as a whole, counted and said once", async () => {
    const { reporter, report, system, bodies, script, problems } = setUp({ maxBatchEvents: 2 }, status(422));
    report(2);
    await system.advance(60_000);
    expect(bodies).toHaveLength(3);
    expect(bodies[2]).toMatchObject({ attempts: [], reporter: { dropped: { app: 2 } } });
    script.push(taken);
    report(1);
    await system.advance(60_000);
    expect(reporter.stats()).toMatchObject({ stored: 1, dropped: 2, waiting: 0 });
    expect(problems).toEqual(["refused"]);
  });

  it("rejected events are counted and said once", async () => {
    const picky: Reply = ({ attempts }) =>
      Response.json(
        {
          accepted: attempts.length - 1,
          duplicates: 0,
          rejected: [{ index: 0, pointer: "/attempts/0/model", detail: "is blank" }],
        },
        { status: 202 },
      );
    const { reporter, report, system, problems } = setUp({}, picky);
    report(3);
    await system.advance(2_000);
    report(3);
    await system.advance(2_000);
    expect(reporter.stats()).toMatchObject({ stored: 4, rejected: 2, dropped: 0 });
    expect(problems).toEqual(["rejected"]);
  });

  it("something else at the address takes nothing off our hands", async () => {
    const page: Reply = () => new Response("<html>", { status: 200 });
    for (const stranger of [page, status(404), status(302, { location: "/x" }), status(405)]) {
      const { reporter, report, system, problems } = setUp({}, stranger);
      report(1);
      await system.advance(10_000);
      expect(reporter.stats()).toMatchObject({ stored: 0, waiting: 1 });
      expect(problems).toEqual(["not_busyhour"]);
    }
  });
});

describe("the app", () => {
  it("never sees a fault: whatever is reported, and whoever is told of it", () => {
    const { reporter, problems } = setUp({
      onProblem: ({ code }) => {
        problems.push(code);
        throw new Error("a listener's own");
      },
    });
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const hostile = {
      get model(): string {
        throw new Error("no");
      },
    };
    const faults = [undefined, null, 7, "text", cyclic, hostile, { n: 1n }, { model: "x".repeat(20_000) }];
    for (const fault of faults) reporter.report(fault as unknown as AttemptEvent);
    expect(reporter.stats()).toMatchObject({ reported: 8, dropped: 8, waiting: 0 });
    expect(problems).toEqual(["bad_event"]);
  });

  it("goes on without reporting when the options are no use", async () => {
    for (const options of [{ url: "" }, { url: "busyhour.example.com" }, { key: "" }]) {
      const { reporter, report, bodies, system, problems } = setUp(options);
      report(2);
      await reporter.flush();
      await reporter.close();
      expect(reporter.stats()).toMatchObject({ reported: 2, dropped: 2 });
      expect([bodies, problems, system.timers]).toEqual([[], ["bad_setting"], 0]);
    }
  });

  it("may pass `report` on alone", async () => {
    const { reporter, system } = setUp();
    const { report } = reporter;
    report(anEvent());
    await system.advance(2_000);
    expect(reporter.stats().stored).toBe(1);
  });

  it("does not observe the reporting itself when it observes the global fetch", async () => {
    const { requests, system } = setUp();
    const plain = system.fetch();
    let observed = 0;
    const observe = (fetch: typeof globalThis.fetch) => {
      const wrapped = (...args: Parameters<typeof fetch>) => {
        observed++;
        return fetch(...args);
      };
      return Object.assign(wrapped, { [ORIGINAL_FETCH]: fetch });
    };
    const reporter = createReporter(
      { url: "http://h", key: "k", fetch: observe(observe(plain)) },
      { ...system },
    );
    reporter.report(anEvent());
    await reporter.flush();
    expect([requests.length, observed]).toEqual([1, 0]);
  });
});
