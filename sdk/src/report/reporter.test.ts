import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AttemptEvent } from "../attempt-event.ts";
import type { ReporterOptions } from "./options.ts";
import { ORIGINAL_FETCH } from "./own-request.ts";
import { createReporter, type ReporterStats } from "./reporter.ts";
import { createVirtualSystem } from "./virtual-system.ts";

interface SentBody {
  attempts: (AttemptEvent & { eventId: string })[];
  reporter?: { id: string; dropped: Record<string, number> };
}

type Reply = (body: SentBody) => Response | Error;

const taken: Reply = ({ attempts }) =>
  Response.json({ accepted: attempts.length, duplicates: 0, rejected: [] }, { status: 202 });
const status =
  (
    code: number,
    headers: Record<string, string> = {},
    body: unknown = { title: "No", status: code },
  ): Reply =>
  () =>
    Response.json(body, { status: code, headers });
const away: Reply = () => Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });

/** Never answers. */
const hang = (_: unknown, { signal }: RequestInit) =>
  new Promise<Response>((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(new Error("aborted")));
  });

/** A reporter in a world of its own, whose server gives the replies in turn, the last one for ever. */
function setUp(options: Partial<ReporterOptions> = {}, ...replies: Reply[]) {
  const bodies: SentBody[] = [];
  const requests: { url: string; init: RequestInit }[] = [];
  const script = replies.length === 0 ? [taken] : replies;
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    const body = JSON.parse(String(init.body)) as SentBody;
    const reply = script[Math.min(bodies.length, script.length - 1)] ?? taken;
    bodies.push(body);
    requests.push({ url: String(input), init });
    const answer = reply(body);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const system = createVirtualSystem(fetch as typeof globalThis.fetch);
  const problems: string[] = [];
  const reporter = createReporter(
    {
      url: "http://127.0.0.1:8420",
      key: "bhi_test",
      source: "app",
      onProblem: ({ code }) => problems.push(code),
      ...options,
    },
    system,
  );
  const report = (count: number, parts: Partial<AttemptEvent> = {}) => {
    for (let i = 0; i < count; i++) reporter.report(anEvent(parts));
  };
  return { reporter, report, system, bodies, requests, problems, script };
}

let made = 0;
function anEvent(parts: Partial<AttemptEvent> = {}): AttemptEvent {
  return { occurredAt: 1_796_000_000_000 + made++, provider: "acme", model: "large", ...parts };
}

const sumOf = ({ stored, rejected, dropped, waiting }: ReporterStats) =>
  stored + rejected + dropped + waiting;

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
    reporter.report(anEvent({ error: { message: "x".repeat(9_000) } }));
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
    expect(first).toMatchObject({ source: "app", error: { message: "x".repeat(2_000) } });
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

describe("flush and close", () => {
  it("flush sends what waits, and ends at once while a retry is being waited for", async () => {
    const { reporter, report, bodies, script } = setUp({ maxBatchEvents: 2 }, away);
    report(1);
    await reporter.flush();
    await reporter.flush();
    expect(bodies).toHaveLength(1);
    script.push(taken);
    const other = setUp({ maxBatchEvents: 2 });
    other.report(5);
    await other.reporter.flush();
    expect(other.bodies.map(({ attempts }) => attempts.length)).toEqual([2, 2, 1]);
  });

  it("close tries once more, then counts what is left as dropped and takes nothing more", async () => {
    const { reporter, report, system, bodies } = setUp({}, away);
    report(3);
    await system.advance(2_000);
    await reporter.close();
    await reporter.close();
    report(2);
    expect(reporter.stats()).toMatchObject({ reported: 5, dropped: 5, waiting: 0 });
    expect([bodies.length, system.timers]).toEqual([2, 0]);
  });

  it("close waits for exitTimeoutMs at the most", async () => {
    const system = createVirtualSystem(hang as typeof globalThis.fetch);
    const reporter = createReporter({ url: "http://h", key: "k", exitTimeoutMs: 500 }, system);
    reporter.report(anEvent());
    let isClosed = false;
    void reporter.close().then(() => {
      isClosed = true;
    });
    await system.advance(499);
    expect(isClosed).toBe(false);
    await system.advance(1);
    expect([isClosed, system.timers]).toEqual([true, 0]);
  });

  it("holds a serverless runtime by one promise until what waits was sent, or failed to be", async () => {
    const held: Promise<unknown>[] = [];
    const { report, system } = setUp({ waitUntil: (promise) => held.push(promise) }, taken, away, taken);
    let released = 0;
    const watch = () => void held.at(-1)?.then(() => released++);
    report(2);
    watch();
    await system.advance(1_000);
    expect([held.length, released]).toEqual([1, 0]);
    await system.advance(1_000);
    expect(released).toBe(1);
    report(1);
    watch();
    await system.advance(2_000);
    expect([held.length, released]).toEqual([2, 2]);
  });

  it("goes on after its runtime was frozen with a timer or a request under way", async () => {
    let answer: ((response: Response) => void) | null = null;
    const { system } = setUp();
    const bodies: SentBody[] = [];
    const reporter = createReporter(
      {
        url: "http://h",
        key: "k",
        fetch: ((_: unknown, { body }: RequestInit) => {
          bodies.push(JSON.parse(String(body)));
          return new Promise((resolve) => {
            if (answer === null) answer = resolve;
            else resolve(taken(bodies.at(-1) as SentBody) as Response);
          });
        }) as typeof globalThis.fetch,
      },
      // Timers of a context that has ended are never called.
      { ...system, setTimer: () => () => {} },
    );
    reporter.report(anEvent());
    await system.advance(60_000);
    expect(bodies).toHaveLength(0);
    reporter.report(anEvent());
    const stuck = reporter.flush();
    await system.settle();
    expect(bodies).toHaveLength(1);
    await system.advance(60_000);
    await reporter.flush();
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toEqual(bodies[0]);
    expect(reporter.stats()).toMatchObject({ stored: 2, waiting: 0 });
    (answer as unknown as (response: Response) => void)(taken(bodies[0] as SentBody) as Response);
    await stuck;
    expect(reporter.stats()).toMatchObject({ stored: 2, waiting: 0 });
  });
});

describe("the books", () => {
  it("always balance, whatever the server does, and each event arrives once or is counted", async () => {
    const replies: Reply[] = [
      taken,
      away,
      status(503, { "retry-after": "3" }),
      status(413),
      status(401),
      status(400),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(12), fc.nat(4_000), fc.nat(replies.length - 1)), { maxLength: 25 }),
        async (steps) => {
          const script: Reply[] = [];
          const arrived = new Set<string>();
          const lossy: Reply = (body) => {
            const reply = script.shift() ?? taken;
            const answer = reply(body);
            if (reply === taken) for (const { eventId } of body.attempts) arrived.add(eventId);
            return answer;
          };
          const { reporter, report, system, bodies } = setUp(
            { maxBatchEvents: 4, maxWaitingEvents: 10 },
            lossy,
          );
          let reported = 0;
          for (const [events, ms, reply] of steps) {
            script.push(replies[reply] as Reply);
            report(events);
            reported += events;
            await system.advance(ms);
            expect(sumOf(reporter.stats())).toBe(reported);
          }
          script.length = 0;
          await system.advance(4_000_000);
          const { dropped, stored, waiting } = reporter.stats();
          expect([waiting, stored, arrived.size]).toEqual([0, reported - dropped, reported - dropped]);
          const notes = bodies.flatMap(({ reporter }) => reporter?.dropped["app"] ?? []);
          expect(Math.max(0, ...notes)).toBe(dropped);
        },
      ),
      { numRuns: 60 },
    );
  });
});
