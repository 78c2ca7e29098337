import { describe, expect, it, vi } from "vitest";
import { json } from "../output/json.ts";
import { CHAIN, FULL, scripted } from "../scripted-providers.ts";
import { createPlanServer } from "../sync/scripted-plan-server.ts";
import { createVirtualTime } from "../virtual-time.ts";
import { rehearse } from "./rehearse.ts";
import type { RehearsalCase, RehearsalOptions, RehearsalProgress } from "./types.ts";

type Cases = RehearsalCase<string, unknown>[];

async function played(script: Parameters<typeof scripted>[0], cases: Cases, options: RehearsalOptions = {}) {
  const world = scripted(script);
  const promise = rehearse(world.router, cases, { print: false, ...options }, world.time);
  promise.catch(() => {});
  await world.time.run();
  return { ...world, rehearsal: await promise };
}

const anyNumber = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: unknown) =>
      typeof value === "number" ? { value } : { issues: [{ message: "is no number" }] },
  },
} as const;

describe("a rehearsal", () => {
  it("asks every target every task, and tells which of them passed", async () => {
    const { rehearsal, asked } = await played({ light: ["good night"] }, [
      { name: "greeting", input: "greet", expect: "hello" },
      { input: "greet", expect: /^(?:HELLO|good)/i },
    ]);
    expect(asked().sort()).toEqual(["flagship", "flagship", "light", "light", "standard", "standard"]);
    expect(rehearsal).toMatchObject({
      isOk: false,
      exitCode: 1,
      isReported: null,
      targets: [
        { target: { id: "flagship" }, passed: 2, failed: 0, isOk: true, latencyMsP50: 1_000 },
        { target: { id: "standard" }, passed: 2, failed: 0, isOk: true },
        {
          target: { id: "light" },
          passed: 1,
          failed: 1,
          isOk: false,
          failures: [
            {
              case: "greeting",
              reason: "expectation",
              outcome: null,
              detail: "“hello” is not in “good night”",
            },
          ],
        },
      ],
    });
    expect(rehearsal.table.split("\n")).toEqual([
      "target    model       passed  median",
      "flagship  one/big     2/2     1.00 s  ok",
      "standard  one/middle  2/2     1.00 s  ok",
      "light     two/small   1/2     1.00 s  FAILED",
      "  light, greeting (expectation): “hello” is not in “good night”",
    ]);
  });

  it("is passed when all are, or as many as are wanted", async () => {
    const cases: Cases = [{ input: "a", expect: "hello" }, { input: "b" }];
    expect((await played({}, cases)).rehearsal).toMatchObject({ isOk: true, exitCode: 0 });
    const half = await played({ light: ["no"] }, cases, { leastPassShare: 0.5 });
    expect(half.rehearsal).toMatchObject({
      isOk: true,
      targets: [{}, {}, { passed: 1, failed: 1, isOk: true }],
    });
  });

  it("asks again where a model is full for a moment, and says why when nobody answers", async () => {
    const { rehearsal } = await played({ flagship: [FULL, "hello"], light: [{ status: 401 }] }, [
      { input: "a" },
    ]);
    expect(rehearsal.targets).toMatchObject([
      { passed: 1 },
      { passed: 1 },
      { passed: 0, latencyMsP50: null, failures: [{ case: "case 1", reason: "call", outcome: "auth" }] },
    ]);
  });

  it("checks outputs, and takes checks of one's own", async () => {
    const { rehearsal } = await played({ flagship: ["17"], standard: ["words"], light: ["18"] }, [
      {
        input: "sum",
        output: json(anyNumber) as never,
        expect: (value, { id }) => (value === 17 ? true : `${id} says ${value}`),
      },
    ]);
    expect(rehearsal.targets).toMatchObject([
      { isOk: true },
      { failures: [{ reason: "output", outcome: "bad_output" }] },
      { failures: [{ reason: "expectation", detail: "light says 18" }] },
    ]);
    const checks: Cases = [
      { input: "a", expect: () => Promise.resolve(false) },
      {
        input: "b",
        expect: () => {
          throw new Error("it is late");
        },
      },
      { input: "c", expect: () => undefined },
    ];
    expect((await played({}, checks)).rehearsal.targets[0]?.failures.map(({ detail }) => detail)).toEqual([
      "the check said no",
      "it is late",
    ]);
  });

  it("makes so many calls at once, and tells how far it is", async () => {
    const progress: RehearsalProgress[] = [];
    const cases: Cases = Array.from({ length: 5 }, (_, i) => ({ input: `${i}` }));
    const { calls } = await played({}, cases, { concurrency: 2, onProgress: (one) => progress.push(one) });
    const perSecond = calls.map(({ atMs }) => atMs);
    expect(Math.max(...perSecond.map((atMs) => perSecond.filter((other) => other === atMs).length))).toBe(2);
    expect(progress.map(({ done }) => done)).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
    expect(progress[0]).toEqual({ done: 1, total: 15, target: "flagship", case: "case 1", isPassed: true });
  });

  it("ends when its caller wants no more, and wants tasks to begin with", async () => {
    const { router, time, calls } = scripted({});
    const stop = new AbortController();
    const promise = rehearse(
      router,
      [{ input: "a" }, { input: "b" }],
      { signal: stop.signal, print: false, concurrency: 1 },
      time,
    );
    promise.catch(() => {});
    time.at(1_500, () => stop.abort(new Error("enough")));
    await time.run();
    await expect(promise).rejects.toThrow("enough");
    expect(calls).toHaveLength(2);
    await expect(rehearse(router, [])).rejects.toThrow("at least one task");
  });

  it("prints its table where nobody else takes it", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const { rehearsal } = await played({}, [{ input: "a" }], { print: undefined as never });
    expect(log.mock.calls).toEqual([[rehearsal.table]]);
    log.mockRestore();
  });
});

it("is told to the server of the router's plan, without a word of what was answered", async () => {
  const time = createVirtualTime();
  const server = createPlanServer(time);
  const posted: string[] = [];
  const fetch = (async (url: string, init: RequestInit) => {
    if (!url.endsWith("/v1/rehearsals")) return server.fetch(url, init);
    posted.push(String(init.body));
    return { status: 201, headers: new Headers(), text: async () => "{}" } as Response;
  }) as typeof globalThis.fetch;
  const plan = { url: "https://busyhour.example.com", key: "bhi_key", fetch };
  const { router } = scripted({ light: ["a secret"] }, { time, plan, chain: { ...CHAIN, name: "chat" } });
  const promise = rehearse(
    router,
    [{ name: "one", input: "a", expect: "hello" }],
    { print: false, source: "ci" },
    time,
  );
  await time.run(10_000);
  expect((await promise).isReported).toBe(true);
  expect(JSON.parse(posted[0] ?? "")).toMatchObject({
    chain: "chat",
    source: "ci",
    planVersion: null,
    startedAt: 1_796_000_000_000,
    durationMs: 1_000,
    cases: 1,
    isOk: false,
    targets: [
      {
        target: "flagship",
        provider: "one",
        model: "big",
        passed: 1,
        failed: 0,
        latencyMsP50: 1_000,
        failures: [],
      },
      {},
      { target: "light", failures: [{ case: "one", reason: "expectation", outcome: null }] },
    ],
  });
  expect(posted[0]).not.toContain("secret");
  await router.close();
});
