import { describe, expect, it } from "vitest";
import type { PlanProblem } from "./plan/plan-document.ts";
import { readPlan } from "./plan/read-plan.ts";
import { FULL, scripted, settle } from "./scripted-providers.ts";
import type { RouterOptions } from "./types.ts";

/** The clock of `scripted` begins on Monday, 30 November 2026, at 08:53 in Shanghai. */
const ZONE = "Asia/Shanghai";

const planOf = (chain: object, version = 12) => ({ version, timeZone: ZONE, chains: { default: chain } });

function planned(plan: unknown, options: Partial<RouterOptions<string, unknown>> = {}, script = {}) {
  const problems: PlanProblem[] = [];
  const world = scripted(script, { onPlanProblem: (problem) => problems.push(problem), ...options });
  const isTaken = world.router.applyPlan(plan);
  return { ...world, problems, isTaken };
}

const NEW_TARGETS = [
  { id: "brand-new", provider: "two", model: "never-heard-of" },
  { id: "flagship", provider: "one", model: "big" },
];

describe("a plan", () => {
  it("brings targets that the code has never heard of, if it knows their provider", async () => {
    const { router, time, asked, isTaken } = planned(planOf({ targets: NEW_TARGETS }));
    expect(isTaken).toBe(true);
    const result = await settle(time, router.run("hi"));
    expect(result).toMatchObject({ target: { model: "never-heard-of" }, isDegraded: false, planVersion: 12 });
    expect(asked()).toEqual(["brand-new"]);
    expect(router.chain.targets.map(({ id }) => id)).toEqual(["brand-new", "flagship"]);
  });

  it("leaves out targets of providers that the code does not know, and says so", () => {
    const targets = [{ id: "x", provider: "nobody", model: "m" }, ...NEW_TARGETS];
    const { router, problems } = planned(planOf({ targets }));
    expect(router.chain.targets.map(({ id }) => id)).toEqual(["brand-new", "flagship"]);
    expect(problems).toMatchObject([{ pointer: "/chains/default/targets/0/provider", isRefused: false }]);
  });

  it("without any target of use is refused, and what was in force goes on", () => {
    const { router, problems, isTaken } = planned(
      planOf({ targets: [{ id: "x", provider: "nobody", model: "m" }] }),
    );
    expect(isTaken).toBe(false);
    expect(router.planVersion).toBeNull();
    expect(router.chain.targets).toHaveLength(3);
    expect(problems.at(-1)).toMatchObject({ isRefused: true });
  });

  it("is taken between requests: one under way ends by what it began with", async () => {
    const { router, time, calls } = planned(planOf({}), {}, { flagship: [FULL] });
    const running = router.run("hi");
    time.at(500, () => router.applyPlan(planOf({ targets: NEW_TARGETS }, 13)));
    expect(await settle(time, running)).toMatchObject({ target: { id: "standard" }, planVersion: 12 });
    expect(await settle(time, router.run("hi"))).toMatchObject({
      target: { id: "brand-new" },
      planVersion: 13,
    });
    expect(calls.map(({ id }) => id)).toEqual(["flagship", "standard", "brand-new"]);
  });

  it("puts targets in another order within its hours, in its zone", async () => {
    const schedule = [
      { days: ["mon"], from: "08:00", to: "09:00", order: ["light", "standard"], why: { requests: 9 } },
    ];
    const { router, time, asked } = planned(planOf({ schedule }));
    expect(await settle(time, router.run("hi"))).toMatchObject({
      target: { id: "light" },
      isDegraded: false,
    });
    await time.run(27 * 60_000);
    await settle(time, router.run("hi"));
    expect(asked()).toEqual(["light", "flagship"]);
    expect(router.chain.targets.map(({ id }) => id)).toEqual(["flagship", "standard", "light"]);
  });

  it("keeps a target from being asked in its hours while another can be, but not from helping", async () => {
    const avoid = [{ target: "flagship", windows: [{ from: "08:00", to: "09:00" }] }];
    const script = { standard: ["fine", FULL], light: [FULL] };
    const { router, time, asked } = planned(planOf({ avoid }), {}, script);
    await settle(time, router.run("hi"));
    await settle(time, router.run("hi"));
    expect(asked()).toEqual(["standard", "standard", "light", "flagship"]);
  });

  it("never avoids the floor", async () => {
    const avoid = [{ target: "flagship", windows: [{ from: "00:00", to: "24:00" }] }];
    const { router, time, asked } = planned(planOf({ avoid, floor: "flagship" }));
    await settle(time, router.run("hi"));
    expect(asked()).toEqual(["flagship"]);
  });

  it("changes how patiently requests are tried", async () => {
    const { router, time } = planned(planOf({ retry: { maxAttempts: 1 } }), {}, { flagship: [FULL] });
    expect((await settle(time, router.run("hi"))).attempts).toHaveLength(1);
  });

  it("of another chain changes nothing but its version", async () => {
    const { router } = planned({ version: 3, timeZone: ZONE, chains: { other: { targets: NEW_TARGETS } } });
    expect(router.planVersion).toBe(3);
    expect(router.chain.targets).toHaveLength(3);
  });

  it("cannot change what local code has locked", () => {
    const own = { targets: [{ id: "flagship", provider: "one", model: "big", maxConcurrency: 2 }] };
    const planTargets = [{ id: "flagship", provider: "one", model: "other", maxConcurrency: 50 }];
    const locked = planned(planOf({ targets: planTargets }), { chain: own, locked: ["targets"] });
    expect(locked.router.chain.targets).toEqual(own.targets);
    const limited = planned(planOf({ targets: planTargets }), { chain: own, locked: ["maxConcurrency"] });
    expect(limited.router.chain.targets).toMatchObject([{ model: "other", maxConcurrency: 2 }]);
  });

  it("may be changed or refused by local code", () => {
    const guardPlan: RouterOptions<string, unknown>["guardPlan"] = (chain) => {
      if (chain.targets.some(({ model }) => model === "never-heard-of")) throw new Error("not this one");
      return { ...chain, targets: chain.targets.slice(0, 2) };
    };
    const refused = planned(planOf({ targets: NEW_TARGETS }), { guardPlan });
    expect(refused.isTaken).toBe(false);
    expect(refused.problems[0]?.detail).toContain("not this one");
    expect(planned(planOf({}), { guardPlan }).router.chain.targets).toHaveLength(2);
  });

  it("keeps the health of targets that stay", async () => {
    const { router, time } = planned(planOf({}), {}, { flagship: [FULL] });
    await settle(time, router.run("hi"));
    const before = router.health().find(({ target }) => target === "flagship")?.score;
    router.applyPlan(planOf({ targets: NEW_TARGETS }, 13));
    expect(router.health().find(({ target }) => target === "flagship")?.score).toBeCloseTo(before ?? 0, 5);
  });
});

describe("reading a plan", () => {
  it("refuses what is no plan, with the place and the reason", () => {
    const problems: PlanProblem[] = [];
    const tell = (problem: PlanProblem) => problems.push(problem);
    for (const value of [
      null,
      [],
      {},
      { version: 1 },
      { version: 1, timeZone: "Mars/Base", chains: {} },
      { version: 1, timeZone: "UTC" },
    ])
      expect(readPlan(value, tell)).toBeNull();
    expect(problems.map(({ pointer }) => pointer)).toEqual([
      "",
      "",
      "/version",
      "/timeZone",
      "/timeZone",
      "/chains",
    ]);
    expect(problems.every(({ isRefused }) => isRefused)).toBe(true);
  });

  it("leaves out what it cannot read, and passes over what it does not know", () => {
    const problems: PlanProblem[] = [];
    const plan = {
      version: 1,
      timeZone: "UTC",
      news: true,
      chains: {
        default: {
          futureField: { a: 1 },
          targets: [
            { id: "a", provider: "p", model: "m", colour: "red", quality: 7 },
            { id: "b" },
            { id: "a", provider: "p", model: "m" },
            5,
          ],
          floor: 7,
          retry: { maxAttempts: 0, capMs: 5_000, baseMs: "1" },
          schedule: [
            { from: "10:00", to: "25:00", order: ["a"] },
            { from: "10:00", to: "11:00", order: "a" },
            { days: ["someday"], from: "1", to: "2", order: [] },
          ],
          avoid: [
            { target: "a" },
            { windows: [] },
            {
              target: "a",
              windows: [
                { days: ["mon", "moon"], from: "10:00", to: "11:00" },
                { from: "01:00", to: "02:00" },
              ],
            },
          ],
        },
      },
    };
    const read = readPlan(plan, (problem) => problems.push(problem));
    expect(read?.chains["default"]).toEqual({
      targets: [{ id: "a", provider: "p", model: "m" }],
      retry: { capMs: 5_000 },
      schedule: [],
      avoid: [{ target: "a", windows: [{ from: "01:00", to: "02:00" }] }],
    });
    expect(problems.map(({ pointer }) => pointer.replace("/chains/default", ""))).toEqual([
      "/targets/0/quality",
      "/targets/1",
      "/targets/2",
      "/targets/3",
      "/floor",
      "/retry/maxAttempts",
      "/retry/baseMs",
      "/schedule/0/to",
      "/schedule/1/order",
      "/schedule/2/from",
      "/avoid/0/windows",
      "/avoid/1/target",
      "/avoid/2/windows/0/days",
    ]);
  });
});
