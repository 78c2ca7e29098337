import { describe, expect, it } from "vitest";
import type { AlertRuleInput } from "../contract/alert-rule.ts";
import { SLOT_MS } from "./detect/types.ts";
import { judgeRule } from "./judge-rule.ts";
import { createMemory, fillFromStored, madeOf, toStored } from "./memory.ts";
import type { SeriesSlots } from "./slot-queries.ts";
import { createSlotTable } from "./slot-table.ts";

const START = 1_000_000 * SLOT_MS;
const RULE: AlertRuleInput & { id: number } = {
  id: 1,
  name: "Short of room",
  isEnabled: true,
  severity: "warning",
  measure: { of: "attempts", outcomes: ["capacity", "timeout"] },
  condition: { kind: "share", above: 0.1, windowMinutes: 10, minCalls: 10 },
  where: { source: "shop" },
  groupBy: "model",
  pendingMinutes: 0,
  remindHours: null,
  channels: null,
};

/** ok, capacity and cancelled calls of a series in slots from the start on. */
function aSeries(
  id: number,
  counts: readonly (readonly [slot: number, ok: number, capacity: number, cancelled: number])[],
  parts = {},
): SeriesSlots {
  const rows = counts.flatMap(([slot, ok, capacity, cancelled]) => [
    [slot, 0, ok],
    [slot, 1, capacity],
    [slot, 13, cancelled],
  ]);
  const column = (i: number) => rows.map((row) => row[i] ?? 0);
  const zeros = rows.map(() => 0);
  return {
    id,
    provider: "acme",
    model: "large",
    endpoint: "",
    source: "shop",
    chain: "",
    ...parts,
    slots: column(0).map((slot) => slot + START / SLOT_MS),
    outcomes: column(1),
    attempts: column(2),
    requests: column(2),
    degraded: zeros,
    retries: zeros,
  };
}

const NOTHING = () => null;
const run = (memory = createMemory(RULE), series: SeriesSlots[] = [], closed = 0, now = 1, rule = RULE) =>
  judgeRule(rule, memory, {
    table: createSlotTable(series, START + closed * SLOT_MS),
    usualOf: NOTHING,
    nowMs: START + now * SLOT_MS,
  });

describe("a rule", () => {
  it("adds up the series of a group, without what shares do not count, and without other sources", () => {
    const eu = { endpoint: "eu" };
    const series = [
      aSeries(1, [[0, 40, 10, 500]]),
      aSeries(2, [[0, 40, 10, 0]], eu),
      aSeries(3, [[0, 0, 900, 0]], { source: "chat" }),
    ];
    const { findings } = run(undefined, series, 1);
    expect(findings).toMatchObject([
      {
        groupKey: '["model","acme","large"]',
        subject: { source: "shop", provider: "acme", model: "large" },
        life: { phase: "firing" },
        judgement: { k: 20, n: 100, value: 0.2 },
      },
    ]);
  });

  it("looks at slots that are open, and learns those that are closed", () => {
    const memory = createMemory(RULE);
    const series = [aSeries(1, [[0, 40, 10, 0]])];
    expect(run(memory, series, 0).findings).toHaveLength(1);
    const other = createMemory(RULE);
    run(other, series, 1);
    // What is learnt stays, what was looked at does not.
    expect(
      [toStored(memory), toStored(other)].map((all) => JSON.stringify(all).includes("[300000000000,10")),
    ).toEqual([false, true]);
  });

  it("steps once however many slots are closed: what began and ended meanwhile is not told", () => {
    const slots = Array.from({ length: 20 }, (_, i) => [i, 40, i < 10 ? 40 : 0, 0] as const);
    const { findings, isChanged } = run(createMemory(RULE), [aSeries(1, slots)], 20, 20);
    expect([findings, isChanged]).toEqual([[], false]);
  });

  it("remembers across a restart what it knew", () => {
    const before = createMemory(RULE);
    run(before, [aSeries(1, [[0, 40, 10, 0]])], 1);
    const after = createMemory(RULE);
    fillFromStored(after, JSON.parse(JSON.stringify(toStored(before))));
    expect(after.groups).toEqual(before.groups);
    const next = [aSeries(1, [[1, 5, 5, 0]])];
    expect(run(after, next, 1, 2)).toEqual(run(before, next, 1, 2));
  });

  it("tells shares beside what is usual, whether or not it asks for that", () => {
    const { findings } = judgeRule(RULE, createMemory(RULE), {
      table: createSlotTable([aSeries(1, [[0, 40, 10, 0]])], START),
      usualOf: () => ({ share: 0.03, n: 500 }),
      nowMs: START + SLOT_MS,
    });
    expect(findings[0]?.judgement.usual).toBe(0.03);
  });

  it("holds a slot that has ended against what was usual in it", () => {
    const rule = { ...RULE, condition: { kind: "learnt" } as const };
    const rush = Array.from({ length: 12 }, (_, slot): [number, number, number, number] => [slot, 75, 25, 0]);
    const noon = START + 12 * SLOT_MS;
    const memory = createMemory(rule);
    const usualOf = (_: string, __: string, ms: number) => ({ share: ms < noon ? 0.25 : 0.01, n: 5_000 });
    const look = (slots: typeof rush, closed: number, nowMs: number) =>
      judgeRule(rule, memory, {
        table: createSlotTable([aSeries(1, slots)], START + closed * SLOT_MS),
        usualOf,
        nowMs,
      }).findings;
    expect(look(rush.slice(0, 11), 11, noon - SLOT_MS)).toEqual([]);
    expect(look(rush.slice(11), 11, noon)).toEqual([]);
    expect(look([...rush.slice(11), [12, 0, 100, 0]], 11, noon + SLOT_MS - 1)).toHaveLength(1);
  });

  it("forgets a group that was not called for four weeks", () => {
    const memory = createMemory(RULE);
    run(memory, [aSeries(1, [[0, 40, 0, 0]])], 1);
    expect(memory.groups.size).toBe(1);
    run(memory, [], 1, 12 * 24 * 29);
    expect(memory.groups.size).toBe(0);
  });

  it("begins anew when what it counts changes, not when its name does", () => {
    expect(madeOf({ ...RULE, name: "another", severity: "info", remindHours: 3 })).toBe(madeOf(RULE));
    expect(madeOf({ ...RULE, where: {} })).not.toBe(madeOf(RULE));
    // As PostgreSQL gives it back, in another order.
    const condition = { minCalls: 10, windowMinutes: 10, above: 0.1, kind: "share" } as const;
    expect(madeOf({ ...RULE, condition })).toBe(madeOf(RULE));
  });
});
