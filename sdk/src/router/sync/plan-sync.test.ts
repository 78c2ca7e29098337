import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { VERSION } from "../../version.ts";
import type { PlanProblem } from "../plan/plan-document.ts";
import { FULL, scripted, settle } from "../scripted-providers.ts";
import { createVirtualTime } from "../virtual-time.ts";
import type { PlanSource, PlanSourceProblem } from "./plan-source.ts";
import type { PlanStore } from "./plan-store.ts";
import { createPlanServer } from "./scripted-plan-server.ts";

const planOf = (version: number, order: readonly string[], more: object = {}) => ({
  version,
  timeZone: "UTC",
  chains: {
    default: { targets: order.map((id) => ({ id, provider: "one", model: `${id}-model` })), ...more },
  },
});

interface Given {
  readonly source?: Partial<PlanSource>;
  readonly before?: (server: ReturnType<typeof createPlanServer>) => void;
  readonly script?: Parameters<typeof scripted>[0];
}

/** A router in virtual time that follows a scripted server. */
function followed({ source = {}, before, script = {} }: Given = {}) {
  const time = createVirtualTime();
  const server = createPlanServer(time);
  before?.(server);
  const faults: PlanSourceProblem[] = [];
  const problems: PlanProblem[] = [];
  const world = scripted(script, {
    time,
    plan: {
      url: "https://busyhour.example.com/",
      key: "bhi_key",
      fetch: server.fetch,
      onProblem: (problem) => faults.push(problem),
      ...source,
    },
    onPlanProblem: (problem) => problems.push(problem),
  });
  /** Lets so much time pass. */
  const pass = (ms: number) => time.run(time.elapsed() + ms);
  const first = () => world.router.chain.targets[0]?.id;
  return { ...world, server, faults, problems, pass, first };
}

function goAway(server: ReturnType<typeof createPlanServer>): void {
  server.mode = "away";
}

function memoryStore(text: string | null = null): PlanStore & { text: string | null } {
  const store = {
    text,
    read: () => store.text,
    write(written: string) {
      store.text = written;
    },
  };
  return store;
}

const kept = (plan: object, chain = "default") => JSON.stringify({ chain, etag: '"kept"', plan });

describe("a router that follows a server", () => {
  it("takes what is published while it waits, between requests, and says so at once", async () => {
    const { router, server, time, pass, first, asked } = followed({ script: { flagship: [FULL] } });
    server.publish(planOf(1, ["flagship", "standard"]));
    await pass(100);
    expect([router.planVersion, server.waiting]).toEqual([1, 0]);
    await pass(3_000);
    expect(server.waiting).toBe(1);
    const running = router.run("hi");
    running.catch(() => {});
    time.at(time.elapsed() + 500, () => server.publish(planOf(2, ["light", "standard"])));
    await pass(600);
    expect([router.planVersion, first()]).toEqual([2, "light"]);
    expect(server.beats.at(-1)).toMatchObject({
      atMs: time.elapsed() - 100,
      body: { planVersion: 2, chain: "default", sdkVersion: VERSION, problems: [], targets: [{}, {}] },
    });
    await pass(5_000);
    expect((await running).planVersion).toBe(1);
    await Promise.all([router.run("hi"), pass(3_000)]);
    expect(asked()).toEqual(["flagship", "standard", "light"]);
    await router.close();
  });

  it("asks rarely while nothing is new, and speaks of itself every ten seconds", async () => {
    const { router, server, pass } = followed({ before: (one) => one.publish(planOf(1, ["light"])) });
    await pass(100_000);
    expect(server.polls.length).toBeLessThanOrEqual(6);
    const times = server.beats.map(({ atMs }) => atMs);
    expect(times.length).toBeGreaterThanOrEqual(10);
    expect(Math.max(...times.slice(1).map((atMs, i) => atMs - (times[i] ?? 0)))).toBeLessThanOrEqual(15_000);
    expect(new Set(server.beats.map(({ body }) => body.instance)).size).toBe(1);
    await router.close();
  });

  it("asks about once in one or two seconds where nobody holds its requests", async () => {
    const { router, server, pass } = followed({
      before(one) {
        one.publish(planOf(1, ["light"]));
        one.holds = false;
      },
    });
    await pass(60_000);
    expect(server.polls.length).toBeGreaterThan(25);
    expect(server.polls.length).toBeLessThan(65);
    await router.close();
  });

  it("goes by the chain in code while nothing is published", async () => {
    const { router, pass, time, asked } = followed();
    await pass(5_000);
    expect(router.planVersion).toBeNull();
    await Promise.all([router.run("hi"), pass(2_000)]);
    expect(asked()).toEqual(["flagship"]);
    await router.close();
    await time.run();
  });
});

describe("a server that is away", () => {
  it("is asked less and less, keeps no request waiting, and is found soon when it is back", async () => {
    const { router, server, pass, faults, first, time } = followed({
      before: (one) => one.publish(planOf(1, ["light"])),
    });
    await pass(4_000);
    server.mode = "away";
    // What waits there is not answered either.
    server.publish(planOf(2, ["standard"]));
    await pass(1_000);
    const before = server.polls.length;
    await pass(120_000);
    expect(server.polls.length - before).toBeLessThan(50);
    expect(faults.map(({ code }) => code)).toEqual(["unreachable"]);
    expect(first()).toBe("standard");
    server.publish(planOf(3, ["flagship"]));
    const result = await Promise.all([router.run("hi"), pass(1_500)]);
    expect(result[0]).toMatchObject({ planVersion: 2, totalMs: 1_000 });
    server.mode = null;
    const backMs = time.elapsed();
    await pass(5_500);
    expect(router.planVersion).toBe(3);
    expect(server.beats.at(-1)?.atMs).toBeGreaterThan(backMs);
    await router.close();
  });

  it("is waited for as it asks, and a key that it refuses is tried once a minute", async () => {
    const { router, server, pass, faults } = followed({
      before(one) {
        one.mode = 401;
      },
    });
    await pass(300_000);
    expect(server.polls.length).toBeLessThan(12);
    expect(faults).toMatchObject([
      { code: "unauthorized", message: expect.stringContaining("401: Not now") },
    ]);
    await router.close();
  });

  it("at the start: the first request goes by the plan that was kept", async () => {
    const store = memoryStore(kept(planOf(7, ["light", "flagship"])));
    const { router, pass, asked } = followed({
      source: { store },
      before: goAway,
    });
    expect(router.planVersion).toBe(7);
    await Promise.all([router.run("hi"), pass(2_000)]);
    expect(asked()).toEqual(["light"]);
    await router.close();
  });

  it("at the start, with a store that takes its time: requests do not wait for it", async () => {
    const { time, pass, ...late } = ((): ReturnType<typeof followed> => {
      let answer = (_: string) => {};
      const store: PlanStore = {
        read: () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
        write: () => {},
      };
      const world = followed({ source: { store }, before: goAway });
      world.time.at(2_500, () => answer(kept(planOf(7, ["light"]))));
      return world;
    })();
    const early = late.router.run("hi");
    await pass(2_000);
    expect(await early).toMatchObject({ planVersion: null, target: { id: "flagship" } });
    await pass(1_000);
    expect(late.router.planVersion).toBe(7);
    await late.router.close();
  });
});

describe("what is kept", () => {
  it("is the last plan that was taken, and not one that was refused", async () => {
    const store = memoryStore();
    const { router, server, pass, problems } = followed({ source: { store } });
    server.publish(planOf(1, ["light"]));
    await pass(5_000);
    expect(JSON.parse(store.text ?? "")).toMatchObject({ chain: "default", plan: { version: 1 } });
    const strangers = {
      version: 2,
      timeZone: "UTC",
      chains: { default: { targets: [{ id: "x", provider: "nobody", model: "m" }] } },
    };
    server.publish(strangers);
    await pass(5_000);
    expect(JSON.parse(store.text ?? "").plan.version).toBe(1);
    expect(router.planVersion).toBe(1);
    expect(problems.at(-1)).toMatchObject({ isRefused: true });
    expect(server.beats.at(-1)?.body).toMatchObject({ planVersion: 1, problems: [{}, { isRefused: true }] });
    const polls = server.polls.length;
    await pass(20_000);
    expect(server.polls.length - polls).toBeLessThanOrEqual(2);
    server.publish(planOf(3, ["standard"]));
    await pass(2_000);
    expect(server.beats.at(-1)?.body).toMatchObject({ planVersion: 3, problems: [] });
    await router.close();
    expect(JSON.parse(store.text ?? "").plan.version).toBe(3);
  });

  it.each([
    ["no JSON", "{", "no JSON"],
    ["of another chain", kept(planOf(1, ["light"]), "other"), "chain “other”"],
    ["no plan", '{"chain":"default"}', "no plan"],
  ])("and is %s is passed over, with a word", async (_, text, words) => {
    const { router, faults } = followed({ source: { store: memoryStore(text) } });
    expect(router.planVersion).toBeNull();
    expect(faults).toMatchObject([{ code: "store", message: expect.stringContaining(words) }]);
    await router.close();
  });

  it("cannot be kept by a store that fails, of which a word is said once", async () => {
    const store: PlanStore = {
      read() {
        throw new Error("no such disk");
      },
      write: () => Promise.reject(new Error("disk full")),
    };
    const { router, server, faults, pass } = followed({ source: { store } });
    for (const version of [1, 2]) {
      server.publish(planOf(version, ["light"]));
      await pass(3_000);
    }
    expect(router.planVersion).toBe(2);
    expect(faults).toMatchObject([{ code: "store", message: "the plan cannot be kept: no such disk" }]);
    await router.close();
  });

  it("saves asking for the same again", async () => {
    const plan = planOf(1, ["light"]);
    const { server: probe, router: other, pass: go } = followed({ before: (one) => one.publish(plan) });
    await go(100);
    await other.close();
    const store = memoryStore();
    const { router, pass, server, problems } = followed({
      source: { store },
      before: (one) => one.publish(plan),
    });
    await pass(5_000);
    await router.close();
    const again = followed({ source: { store }, before: (one) => one.publish(plan) });
    await again.pass(20_000);
    expect([again.router.planVersion, again.server.polls.length]).toEqual([1, 1]);
    expect([probe.polls.length, server.polls.length, problems]).toEqual([1, 2, []]);
    await again.router.close();
  });
});

describe("the end", () => {
  it("leaves no timer and no request behind, and the plan in force", async () => {
    const { router, server, pass, time, first } = followed({
      before: (one) => one.publish(planOf(1, ["light"])),
    });
    await pass(5_000);
    expect(server.waiting).toBe(1);
    await router.close();
    await time.run();
    expect([server.waiting, time.pending]).toEqual([0, 0]);
    const polls = server.polls.length;
    server.publish(planOf(2, ["standard"]));
    await pass(60_000);
    expect([server.polls.length, first()]).toEqual([polls, "light"]);
    await router.close();
  });

  it("of a router without a server is nothing", async () => {
    const { router, time } = scripted({});
    await router.close();
    await settle(time, router.run("hi"));
  });
});

it.each([
  [{ url: "not an address" }, "plan.url"],
  [{ key: "" }, "plan.key"],
])("settings that cannot be used switch it off, with a word: %j", async (source, words) => {
  const { router, server, faults, pass, asked } = followed({ source });
  await pass(60_000);
  await Promise.all([router.run("hi"), pass(2_000)]);
  expect([server.polls, asked()]).toEqual([[], ["flagship"]]);
  expect(faults).toMatchObject([{ code: "bad_setting", message: expect.stringContaining(words) }]);
  await router.close();
});

it("what the server does not take of what is said is told once, and plans come all the same", async () => {
  const { router, server, faults, pass } = followed({
    before(one) {
      one.beatStatus = 422;
      one.publish(planOf(1, ["light"]));
    },
  });
  await pass(60_000);
  expect(router.planVersion).toBe(1);
  expect(server.beats.length).toBeGreaterThan(4);
  expect(faults).toEqual([
    {
      code: "refused",
      message: "the server does not take what the router says of itself (422: The body has faults)",
    },
  ]);
  await router.close();
});

it("without a listener problems are said aloud once", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const { router, pass } = followed({
    source: { onProblem: undefined },
    before: goAway,
  });
  await pass(30_000);
  expect(warn.mock.calls).toEqual([
    [expect.stringContaining("busyhour: plan: the server cannot be reached")],
  ]);
  warn.mockRestore();
  await router.close();
});

it("the version that is told is the package's", () => {
  const manifest = path.join(import.meta.dirname, "..", "..", "..", "package.json");
  expect(VERSION).toBe(JSON.parse(fs.readFileSync(manifest, "utf8")).version);
});
