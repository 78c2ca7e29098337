import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRouter } from "./router.ts";
import { isRouterError, RouterError } from "./router-error.ts";
import {
  BAD_KEY,
  BAD_REQUEST,
  BROKEN,
  type Deed,
  FILTERED,
  FULL,
  fullFor,
  limitedFor,
  NO_MONEY,
  toClientError,
} from "./scripted-providers.ts";
import type { AttemptReport, Call } from "./types.ts";
import { afterPromises, createRandom, createVirtualTime } from "./virtual-time.ts";

const EPOCH_MS = 1_796_000_000_000;

/** A world of random faults: what calls meet is drawn by time and target, so that outages come in spells. */
interface World {
  readonly seed: number;
  readonly targets: number;
  /** Share of calls that fail in ordinary times. */
  readonly failing: number;
  /** Part of all minutes in which a target is down. */
  readonly down: number;
  /** Requests, and milliseconds between them on average. */
  readonly requests: number;
  readonly everyMs: number;
  readonly deadlineMs: number;
  /** Part of requests whose caller leaves early. */
  readonly leaving: number;
  readonly hard: number;
}

const worlds = fc.record<World>({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  targets: fc.integer({ min: 1, max: 5 }),
  failing: fc.double({ min: 0, max: 0.9, noNaN: true }),
  down: fc.double({ min: 0, max: 1, noNaN: true }),
  requests: fc.integer({ min: 1, max: 150 }),
  everyMs: fc.integer({ min: 10, max: 5_000 }),
  deadlineMs: fc.integer({ min: 500, max: 90_000 }),
  leaving: fc.double({ min: 0, max: 0.2, noNaN: true }),
  hard: fc.double({ min: 0, max: 0.1, noNaN: true }),
});

interface Ended {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly attempts: readonly AttemptReport[];
  readonly error: RouterError | null;
}

interface Called {
  readonly id: string;
  readonly fromMs: number;
  readonly deadlineMs: number;
  toMs: number;
  /** What was advised at the end, and for how long the target must be left alone because of it. */
  restMs: number;
}

async function live(world: World) {
  const time = createVirtualTime(world.seed, EPOCH_MS, afterPromises);
  const random = createRandom(world.seed * 31 + 7);
  const called: Called[] = [];
  const inFlight = new Map<string, number>();
  let mostOver = 0;
  const ends: Ended[] = [];

  const isDown = (target: string) =>
    createRandom(
      world.seed + target.charCodeAt(1) * 7_919 + Math.floor(time.elapsed() / 60_000) * 104_729,
    )() < world.down;

  function draw(target: string): Deed {
    const luck = random();
    if (luck < world.hard)
      return [BAD_KEY, NO_MONEY, BAD_REQUEST, FILTERED][Math.floor(random() * 4)] ?? BAD_KEY;
    if (!isDown(target) && random() >= world.failing) return "fine";
    const kind = random();
    if (kind < 0.15) return { hang: true };
    if (kind < 0.3) return fullFor(Math.ceil(random() * 90));
    if (kind < 0.4) return limitedFor(Math.ceil(random() * 900));
    return kind < 0.6 ? BROKEN : FULL;
  }

  async function answer(deadlineMs: number, { target, signal }: Call): Promise<string> {
    const call: Called = {
      id: target.id,
      fromMs: time.elapsed(),
      deadlineMs,
      toMs: Number.POSITIVE_INFINITY,
      restMs: 0,
    };
    called.push(call);
    const add = (calls: number) => inFlight.set(target.id, (inFlight.get(target.id) ?? 0) + calls);
    add(1);
    // A call that was told to stop counts no more.
    signal.addEventListener("abort", () => add(-1), { once: true });
    const limit = router.health().find((one) => one.target === target.id)?.limit ?? 0;
    mostOver = Math.max(mostOver, (inFlight.get(target.id) ?? 0) - limit);
    const deed = draw(target.id);
    try {
      await Promise.race([time.sleep(50 + random() * 8_000), aborted(signal)]);
      if (typeof deed === "object" && "hang" in deed) await aborted(signal);
      if (signal.aborted) throw signal.reason;
      if (typeof deed === "string") return deed;
      const wait = "headers" in deed ? Number(deed.headers?.["retry-after"] ?? 0) : 0;
      call.restMs = 1_000 * Math.min(60, wait);
      throw toClientError(deed as { status: number });
    } finally {
      call.toMs = time.elapsed();
      if (!signal.aborted) add(-1);
    }
  }

  const router = createRouter<number, string>({
    providers: { one: answer, two: answer, three: answer },
    chain: {
      targets: Array.from({ length: world.targets }, (_, i) => ({
        id: `t${i}`,
        provider: ["one", "two", "three"][i % 3] ?? "one",
        model: `m${i}`,
      })),
    },
    system: time,
  });

  async function request(): Promise<void> {
    const startedMs = time.elapsed();
    const controller = new AbortController();
    if (random() < world.leaving) time.at(startedMs + random() * 5_000, () => controller.abort());
    const end = await router
      .run(startedMs + world.deadlineMs, { deadlineMs: world.deadlineMs, signal: controller.signal })
      .catch((error: unknown) => {
        if (isRouterError(error)) return error;
        throw error;
      });
    const error = end instanceof RouterError ? end : null;
    ends.push({ startedMs, endedMs: time.elapsed(), attempts: end.attempts, error });
  }

  let atMs = 0;
  for (let i = 0; i < world.requests; i++) {
    atMs += -Math.log(1 - random()) * world.everyMs;
    time.at(atMs, () => void request());
  }
  await time.run();
  return { router, time, ends, called, mostOver, pending: time.pending };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Five providers that fail quickly, at random, a request a second for five minutes. */
async function fail(seed: number, share: number) {
  const time = createVirtualTime(seed, EPOCH_MS, afterPromises);
  const random = createRandom(seed + 1);
  const log: {
    readonly kind: "request" | "success" | "attempt";
    readonly atMs: number;
    readonly attempt: number;
  }[] = [];
  const note = (kind: "request" | "success" | "attempt", attempt = 0) =>
    log.push({ kind, atMs: time.elapsed(), attempt });
  const names = ["a", "b", "c", "d", "e"];
  async function answer(_: string, { attempt }: Call): Promise<string> {
    note("attempt", attempt);
    await time.sleep(300);
    if (random() < share) throw toClientError(FULL as { status: number });
    note("success");
    return "fine";
  }
  const router = createRouter<string, string>({
    providers: Object.fromEntries(names.map((name) => [name, answer])),
    chain: { targets: names.map((name) => ({ id: name, provider: name, model: "m", tier: "same" })) },
    system: time,
  });
  for (let s = 0; s < 300; s++) {
    time.at(s * 1_000, () => {
      note("request");
      void router.run("hi").catch(() => {});
    });
  }
  await time.run();
  const repetitions = (fromMs: number) =>
    log.filter(({ kind, atMs, attempt }) => kind === "attempt" && attempt > 1 && atMs >= fromMs).length;
  return { log, repetitions };
}

/** Enough for a check-in, little enough for its patience. */
const RUNS = { numRuns: 60 };

describe("in any world", () => {
  it("every request ends once, in time, with at most five attempts and 30 s of waiting", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { ends, router, pending } = await live(world);
        expect(ends).toHaveLength(world.requests);
        const isWell = ({ attempts, startedMs, endedMs, error }: Ended) =>
          attempts.length <= 5 &&
          attempts.reduce((sum, { waitedMs }) => sum + waitedMs, 0) <= 30_001 &&
          endedMs - startedMs <= world.deadlineMs + 2 &&
          attempts.every(({ attempt, outcome }, i) => {
            const isAnswer = error === null && i === attempts.length - 1;
            return attempt === i + 1 && (outcome === "ok") === isAnswer;
          });
        expect(ends.filter((end) => !isWell(end))).toEqual([]);
        expect(router.health().every(({ inFlight }) => inFlight === 0)).toBe(true);
        expect(pending).toBe(0);
      }),
      RUNS,
    );
  });

  it("no attempt begins at or after its deadline, and none is waited for past it", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { called, ends } = await live(world);
        for (const { fromMs, toMs, deadlineMs } of called) {
          expect(fromMs).toBeLessThan(deadlineMs);
          expect(toMs).toBeLessThanOrEqual(deadlineMs + 2);
        }
        for (const { attempts } of ends) {
          for (const { latencyMs } of attempts) expect(latencyMs).toBeLessThanOrEqual(world.deadlineMs + 1);
        }
      }),
      RUNS,
    );
  });

  it("nobody asks a target within the wait that it advised, up to a minute", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { called } = await live(world);
        for (const { id, toMs, restMs } of called) {
          const within = called.filter(
            (one) => one.id === id && one.fromMs > toMs && one.fromMs < toMs + restMs - 1,
          );
          expect(within).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  it("own calls stay within the limit of each target", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        // Seen when a call begins: cutting a limit takes no calls back that are under way.
        expect((await live(world)).mostOver).toBeLessThanOrEqual(0);
      }),
      RUNS,
    );
  });

  it("nothing is sent again with hands that were refused, and a request that is wrong not at all", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { ends } = await live({ ...world, hard: 0.3 });
        for (const { attempts } of ends) {
          for (const [i, { outcome, provider }] of attempts.entries()) {
            const later = attempts.slice(i + 1);
            if (outcome === "invalid_request") expect(later).toEqual([]);
            if (outcome === "auth" || outcome === "quota" || outcome === "content_filter")
              expect(later.filter((one) => one.provider === provider)).toEqual([]);
          }
        }
      }),
      RUNS,
    );
  });

  it("in any stretch, repetitions ≤ successes + 0.1 · requests + 20", async () => {
    const failing = fc.double({ min: 0.5, max: 1, noNaN: true });
    const seeds = fc.integer({ min: 1, max: 1e6 });
    await fc.assert(
      fc.asyncProperty(seeds, failing, fc.integer({ min: 0, max: 250 }), async (seed, share, fromS) => {
        const { log, repetitions } = await fail(seed, share);
        const since = (kind: string) =>
          log.filter((one) => one.kind === kind && one.atMs >= fromS * 1_000).length;
        expect(repetitions(fromS * 1_000)).toBeLessThanOrEqual(
          since("success") + 0.1 * since("request") + 20 + 1e-9,
        );
      }),
      { numRuns: 20 },
    );
  });

  it("when nothing answers, 200 requests make at most 240 attempts", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const dead = { ...world, requests: 200, failing: 1, down: 1, hard: 0, leaving: 0 };
        const { called } = await live(dead);
        expect(called.length).toBeLessThanOrEqual(240);
      }),
      { numRuns: 25 },
    );
  });

  it("the same seed and clock make the same decisions", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const [first, second] = [await live(world), await live(world)];
        expect(second.called).toEqual(first.called);
      }),
      { numRuns: 15 },
    );
  });
});

describe("what is demoted", () => {
  it("is tried again at least once a minute as long as requests come", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 200, max: 3_000 }),
        async (seed, everyMs) => {
          const time = createVirtualTime(seed, EPOCH_MS, afterPromises);
          const asked: number[] = [];
          const router = createRouter<string, string>({
            providers: {
              one: async () => {
                asked.push(time.elapsed());
                await time.sleep(200);
                throw toClientError(FULL as { status: number });
              },
              two: async () => {
                await time.sleep(1_000);
                return "fine";
              },
            },
            chain: {
              targets: [
                { id: "best", provider: "one", model: "m" },
                { id: "next", provider: "two", model: "m" },
              ],
            },
            system: time,
          });
          for (let at = 0; at < 900_000; at += everyMs)
            time.at(at, () => void router.run("hi").catch(() => {}));
          await time.run();
          const gaps = asked.map((at, i) => at - (asked[i - 1] ?? 0));
          expect(Math.max(...gaps)).toBeLessThanOrEqual(60_000);
          // And not much more often than that: a target that is down is left alone.
          expect(asked.length).toBeLessThan(100);
        },
      ),
      { numRuns: 15 },
    );
  });

  it("has one probe under way at a time while it is half open", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), async (seed) => {
        const time = createVirtualTime(seed, EPOCH_MS, afterPromises);
        let [probing, most, isDown] = [0, 0, true];
        const router = createRouter<string, string>({
          providers: {
            one: async () => {
              const isHalf = router.health()[0]?.circuit === "halfOpen";
              if (isHalf) probing++;
              most = Math.max(most, probing);
              await time.sleep(5_000);
              if (isHalf) probing--;
              if (isDown) throw toClientError(FULL as { status: number });
              return "back";
            },
            two: () => "fine",
          },
          chain: {
            targets: [
              { id: "best", provider: "one", model: "m" },
              { id: "next", provider: "two", model: "m" },
              { id: "last", provider: "two", model: "n" },
            ],
          },
          system: time,
        });
        time.at(60_000, () => {
          isDown = false;
        });
        for (let at = 0; at < 120_000; at += 250) time.at(at, () => void router.run("hi"));
        await time.run();
        expect(most).toBe(1);
        expect(router.health()[0]?.circuit).toBe("closed");
      }),
      { numRuns: 15 },
    );
  });

  it("is asked all the same when everything is: a request always gets an attempt", async () => {
    const time = createVirtualTime(1, EPOCH_MS, afterPromises);
    let calls = 0;
    const fail = async () => {
      calls++;
      await time.sleep(100);
      throw toClientError(FULL as { status: number });
    };
    const router = createRouter<string, string>({
      providers: { one: fail, two: fail },
      chain: {
        targets: [
          { id: "a", provider: "one", model: "m" },
          { id: "b", provider: "two", model: "m" },
        ],
      },
      system: time,
    });
    for (let i = 0; i < 50; i++) {
      const run = router.run("hi", { deadlineMs: 3_000 }).catch(() => {});
      await time.run();
      await run;
    }
    expect(router.health().every(({ circuit }) => circuit !== "closed")).toBe(true);
    const before = calls;
    const run = router.run("hi", { deadlineMs: 3_000 }).catch((error: unknown) => error as RouterError);
    await time.run();
    expect((await run) as RouterError).toMatchObject({ attempts: [{ attempt: 1 }] });
    expect(calls).toBe(before + 1);
  });
});

describe("what says nothing of a target", () => {
  it("a rate limit touches neither its score nor its circuit, nor do a thousand callers who leave", async () => {
    const time = createVirtualTime(1, EPOCH_MS, afterPromises);
    let isLimited = true;
    const router = createRouter<string, string>({
      providers: {
        one: async (_, { signal }) => {
          if (isLimited) throw toClientError(limitedFor(1) as { status: number });
          await aborted(signal);
          throw signal.reason;
        },
      },
      chain: { targets: [{ id: "only", provider: "one", model: "m" }] },
      system: time,
    });
    for (let i = 0; i < 30; i++) time.at(i * 40_000, () => void router.run("hi").catch(() => {}));
    await time.run();
    isLimited = false;
    for (let i = 0; i < 1_000; i++) {
      time.at(2_000_000 + i * 20, () => {
        const controller = new AbortController();
        void router.run("hi", { signal: controller.signal }).catch(() => {});
        time.setTimer(() => controller.abort(), 10);
      });
    }
    await time.run();
    expect(router.health()[0]).toMatchObject({ score: 0.95, circuit: "closed", inFlight: 0 });
  });
});
