import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReporter, type ReporterStats } from "./reporter.ts";
import { anEvent, away, hang, type Reply, type SentBody, setUp, status, taken } from "./scripted-server.ts";
import { createVirtualSystem } from "./virtual-system.ts";

const sumOf = ({ stored, rejected, dropped, waiting }: ReporterStats) =>
  stored + rejected + dropped + waiting;

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
