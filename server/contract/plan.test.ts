import path from "node:path";
import { type PlanProblem, readPlan } from "@busyhour/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPlanSchema } from "../plans/routes.ts";
import { planDocument, planShape, WEEKDAYS } from "./plan.ts";

const text = fc.string({ minLength: 1, maxLength: 12 });
const optional = { requiredKeys: [] };
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));
const days = fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 });
const aWindow = fc.record(
  { days, from: clock, to: fc.oneof(clock, fc.constant("24:00")) },
  { requiredKeys: ["from", "to"] },
);
const atLeast = (min: number) => fc.double({ min, max: 1e6, noNaN: true, noDefaultInfinity: true });
const whole = fc.integer({ min: 1, max: 1_000 });
const unknownFields = fc.dictionary(fc.constantFrom("colour", "futureField"), fc.jsonValue(), { maxKeys: 1 });

const aTarget = (id: string) =>
  fc
    .tuple(
      fc.record(
        {
          provider: text,
          model: text,
          tier: text,
          endpoint: text,
          account: text,
          maxConcurrency: whole,
          requestsPerMinute: atLeast(1),
          quality: fc.double({ min: 0, max: 1, noNaN: true }),
        },
        { requiredKeys: ["provider", "model"] },
      ),
      unknownFields,
    )
    .map(([target, others]) => ({ ...others, ...target, id }));

/** A chain that names none but its own targets. */
const aChain = fc.uniqueArray(text, { minLength: 1, maxLength: 4 }).chain((ids) => {
  const id = fc.constantFrom(...ids);
  const entry = fc
    .tuple(aWindow, fc.array(id, { minLength: 1, maxLength: 4 }), fc.option(fc.jsonValue()))
    .map(([window, order, why]) => ({ ...window, order, ...(why === null ? {} : { why }) }));
  return fc.record(
    {
      targets: fc.tuple(...ids.map(aTarget)),
      floor: id,
      schedule: fc.array(entry, { maxLength: 3 }),
      retry: fc.record(
        { maxAttempts: whole, baseMs: atLeast(0), capMs: atLeast(0), totalWaitMs: atLeast(0) },
        optional,
      ),
      avoid: fc.array(fc.record({ target: id, windows: fc.array(aWindow, { minLength: 1, maxLength: 3 }) }), {
        maxLength: 2,
      }),
    },
    optional,
  );
});

const aPlan = fc
  .tuple(
    fc.record({
      version: fc.integer({ min: 0, max: 1_000_000 }),
      timeZone: fc.constantFrom("UTC", "Asia/Shanghai", "America/New_York", "Asia/Kathmandu"),
      chains: fc.dictionary(text, aChain, { maxKeys: 3, noNullPrototype: true }),
    }),
    unknownFields,
  )
  // As it travels: `-0` and what is `undefined` are not there any more.
  .map(([plan, others]) => JSON.parse(JSON.stringify({ ...others, ...plan })));

function read(document: unknown) {
  const problems: PlanProblem[] = [];
  return { plan: readPlan(document, (problem) => problems.push(problem)), problems };
}

describe("a plan that the server takes", () => {
  it("is read by routers to its last known field", () => {
    fc.assert(
      fc.property(aPlan, (document) => {
        const taken = planDocument.safeParse(document);
        expect(taken.error?.issues ?? []).toEqual([]);
        const { plan, problems } = read(taken.data);
        expect(problems).toEqual([]);
        expect(document).toMatchObject(
          JSON.parse(JSON.stringify(plan, (key, value) => (key === "why" ? undefined : value))),
        );
        expect(Object.keys(plan?.chains ?? {})).toEqual(Object.keys(document.chains));
      }),
      { numRuns: 100 },
    );
  });

  it("keeps fields that it does not know", () => {
    const document = {
      timeZone: "UTC",
      chains: { a: { news: 1, targets: [{ id: "x", provider: "p", model: "m", colour: "red" }] } },
      more: [],
    };
    expect(planDocument.parse(document)).toEqual(document);
  });

  it("and one that it refuses are the same for both: a change at any place is seen by both or by neither", () => {
    let refused = 0;
    const oddities = [
      null,
      "",
      0,
      -1,
      0.5,
      "x",
      "24:00",
      "9:00",
      [],
      {},
      [1],
      ["moon"],
      true,
      "x".repeat(201),
    ];
    fc.assert(
      fc.property(
        aPlan,
        fc.array(fc.nat(), { minLength: 1, maxLength: 7 }),
        fc.constantFrom(...oddities),
        (document, way, value) => {
          const changed = replaceAt(document, way, value);
          // What stands in fields that routers do not read is no matter between the two.
          const isTaken =
            planShape.required({ version: true }).safeParse(changed).success && !hasTwins(changed);
          const { plan, problems } = read(changed);
          if (!isTaken) refused++;
          expect([plan !== null && problems.length === 0, problems, changed]).toEqual([
            isTaken,
            problems,
            changed,
          ]);
        },
      ),
      { numRuns: 800 },
    );
    expect(refused).toBeGreaterThan(200);
  });
});

it.each([
  ["targets", []],
  ["targets", [{ id: "a", provider: "p" }]],
  ["targets", [{ id: "a", provider: "p", model: "m", maxConcurrency: 1.5 }]],
  ["targets", [{ id: "a", provider: "p", model: "m", tier: null }]],
  ["floor", ""],
  ["retry", { maxAttempts: 2.5 }],
  ["retry", { capMs: -1 }],
  ["schedule", [{ from: "10:00", to: "11:00", order: [] }]],
  ["schedule", [{ days: [], from: "10:00", to: "11:00", order: ["a"] }]],
  ["schedule", [{ from: "24:00", to: "11:00", order: ["a"] }]],
  ["schedule", { from: "10:00" }],
  ["avoid", [{ target: "a", windows: [] }]],
  ["avoid", [{ target: "a" }]],
])("both refuse %s of %j", (field, value) => {
  const document = { version: 1, timeZone: "UTC", chains: { default: { [field]: value } } };
  expect(planShape.safeParse(document).success).toBe(false);
  expect(read(document).problems).not.toEqual([]);
});

/** Two targets of one id are found by the check of names, which looks at more than routers do. */
function hasTwins({ chains }: { chains?: unknown }): boolean {
  return Object.values((chains ?? {}) as Record<string, { targets?: unknown }>).some((chain) => {
    const ids = (Array.isArray(chain?.targets) ? chain.targets : []).map((target) => target?.id);
    return new Set(ids).size < ids.length;
  });
}

const OPEN = new Set(["why", "colour", "futureField"]);

/** The document with another value somewhere within, where a router looks. */
// biome-ignore lint/suspicious/noExplicitAny: any JSON
function replaceAt(document: any, way: readonly number[], value: unknown): any {
  const [step = 0, ...rest] = way;
  const keys =
    typeof document === "object" && document !== null
      ? Object.keys(document).filter((key) => !OPEN.has(key))
      : [];
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return value;
  const inner = rest.length === 0 ? value : replaceAt(document[key], rest, value);
  if (!Array.isArray(document)) return { ...document, [key]: inner };
  return document.map((one, at) => (String(at) === key ? inner : one));
}

describe("what is wrong with a plan", () => {
  const target = (id: string, parts = {}) => ({ id, provider: "p", model: "m", ...parts });
  const faultsOf = (chain: object) =>
    (planDocument.safeParse({ timeZone: "UTC", chains: { default: chain } }).error?.issues ?? []).map(
      ({ path, message }) => `/${path.join("/")} ${message}`,
    );

  it("is told with its place: names that no target has", () => {
    expect(
      faultsOf({
        targets: [target("a"), target("b", { tier: "best" }), target("a")],
        floor: "c",
        schedule: [{ from: "10:00", to: "11:00", order: ["b", "d"] }],
        avoid: [{ target: "e", windows: [{ from: "10:00", to: "11:00" }] }],
      }),
    ).toEqual([
      "/chains/default/targets/2/id is the id of another target of this chain already",
      "/chains/default/floor is neither the id nor the tier of a target of this chain; there are a, b",
      "/chains/default/schedule/0/order/1 is no target of this chain; there are a, b",
      "/chains/default/avoid/0/target is no target of this chain; there are a, b",
    ]);
    expect(faultsOf({ targets: [target("b", { tier: "best" })], floor: "best" })).toEqual([]);
  });

  it("is not that it names targets which are the code's own", () => {
    expect(faultsOf({ floor: "x", schedule: [{ from: "10:00", to: "11:00", order: ["x"] }] })).toEqual([]);
  });
});

it("the JSON Schema is written down for people and editors", async () => {
  const file = path.join(import.meta.dirname, "..", "..", "docs", "plan.schema.json");
  await expect(`${JSON.stringify(toPlanSchema(), null, 2)}\n`).toMatchFileSnapshot(file);
});
