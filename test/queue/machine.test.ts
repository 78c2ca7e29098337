import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSweep } from "../../server/queue/sweep.ts";
import { runQueueUpkeep } from "../../server/queue/upkeep.ts";
import { startTestServer } from "../support/server.ts";
import { createQueueClient } from "./support.ts";

const api = await startTestServer();
const client = createQueueClient(api);
const { sql } = api.database;

/** What somebody does to the queue. Numbers choose among what there is. */
type Step =
  | {
      readonly do: "submit";
      readonly count: number;
      readonly key: number | null;
      readonly waitMs: number | null;
    }
  | { readonly do: "lease"; readonly limit: number }
  | { readonly do: "complete" | "fail" | "busy" | "extend" | "cancel" | "retry"; readonly pick: number }
  | { readonly do: "pass"; readonly ms: number };

const pick = fc.nat(50);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("submit" as const),
      count: fc.integer({ min: 1, max: 3 }),
      key: fc.option(fc.nat(4)),
      waitMs: fc.option(fc.nat(60_000)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("lease" as const), limit: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "complete",
        "complete",
        "complete",
        "busy",
        "busy",
        "fail",
        "extend",
        "cancel",
        "retry",
      ),
      pick,
    }) as fc.Arbitrary<Step>,
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.nat(40_000) }) },
);

interface Model {
  readonly queue: string;
  /** All that were handed over, with the time before which none may be leased. */
  readonly jobs: Map<number, number>;
  readonly keys: Map<number, number>;
  /** Every lease that was ever given, newest last. */
  readonly leases: { id: number; token: string; untilMs: number; isOver: boolean }[];
  /** Tokens whose completion was taken. */
  readonly completed: Map<number, string>;
}

async function perform(model: Model, one: Step): Promise<void> {
  const { queue, leases } = model;
  const nowMs = api.clock.nowMs;
  switch (one.do) {
    case "pass":
      api.clock.nowMs += one.ms;
      return;
    case "submit": {
      const when = one.waitMs === null ? "now" : new Date(nowMs + one.waitMs).toISOString();
      const jobs = Array.from({ length: one.count }, (_, i) => ({
        when,
        maxAttempts: 2,
        ...(one.key === null || i > 0 ? {} : { key: `k${one.key}` }),
      }));
      const ids = await client.submit(jobs, { queue });
      for (const [i, id] of ids.entries()) {
        const isKeyed = one.key !== null && i === 0;
        if (isKeyed && model.keys.has(one.key)) expect(id).toBe(model.keys.get(one.key));
        else {
          expect(model.jobs.has(id)).toBe(false);
          model.jobs.set(id, nowMs + (one.waitMs ?? 0));
        }
        if (isKeyed) model.keys.set(one.key, id);
      }
      return;
    }
    case "lease": {
      const { jobs } = await client.lease({ queue, limit: one.limit, leaseMs: 30_000 });
      for (const { id, token } of jobs) {
        expect(model.completed.has(id)).toBe(false);
        expect(nowMs).toBeGreaterThanOrEqual(model.jobs.get(id) ?? Number.POSITIVE_INFINITY);
        // Nobody else has it.
        const last = leases.findLast((lease) => lease.id === id);
        const [row] = await sql`select token from job where id = ${id}`;
        expect(row?.["token"]).toBe(token);
        expect(last?.token).not.toBe(token);
        leases.push({ id, token, untilMs: nowMs + 30_000, isOver: false });
      }
      return;
    }
    case "cancel":
    case "retry": {
      const ids = [...model.jobs.keys()];
      const id = ids[one.pick % Math.max(1, ids.length)];
      if (id !== undefined) await client.ok("POST", `/v1/jobs/${one.do}`, { ids: [id] });
      return;
    }
    default: {
      const lease = leases[one.pick % Math.max(1, leases.length)];
      if (lease === undefined) return;
      const { id, token } = lease;
      if (one.do === "extend") {
        const { leases: extended } = await client.extend([lease], { leaseMs: 30_000 });
        expect(extended[0].is === "lost").toBe(lease.isOver || model.completed.has(id));
        if (extended[0].is !== "lost") lease.untilMs = nowMs + 30_000;
      } else if (one.do === "complete") {
        const { status, body } = await client.complete(id, token);
        // Whoever has it completes it, and nobody who lost it or gave it back.
        if (body.state === "completed") expect([token, lease.isOver]).toEqual([token, false]);
        const earlier = model.completed.get(id);
        if (earlier !== undefined) expect(status).toBe(earlier === token ? 200 : 409);
        if (body.state === "completed") {
          expect(earlier ?? token).toBe(token);
          model.completed.set(id, token);
        }
      } else {
        await (one.do === "fail" ? client.fail(id, token) : client.release(id, token));
        if (!model.completed.has(id)) lease.isOver = true;
      }
    }
  }
}

/** What must hold whatever was done. */
async function check({ queue, jobs, completed }: Model): Promise<void> {
  const rows = await sql<{ id: number; place: string; state: string }[]>`
    select j.id::int as id, 'job' as place, case when token is null then 'waiting' else 'leased' end as state
      from job j join job_lane l on l.id = j.lane_id where l.queue = ${queue}
     union all
    select d.id::int, 'done', d.state from job_done d join job_lane l on l.id = d.lane_id where l.queue = ${queue}`;
  // Each job is in one place: none is lost, and none is there twice.
  expect(rows.map(({ id }) => id).sort((a, b) => a - b)).toEqual([...jobs.keys()].sort((a, b) => a - b));
  const ends = await sql<{ id: number; count: number }[]>`
    select e.job_id::int as id, (count(*) filter (where e.kind = 'completed'))::int as count
      from job_event e join job_lane l on l.id = e.lane_id where l.queue = ${queue} group by 1`;
  const counts = new Map(ends.map(({ id, count }) => [id, count]));
  for (const { id, state } of rows) {
    expect([id, counts.get(id) ?? 0]).toEqual([id, state === "completed" ? 1 : 0]);
    expect([id, state === "completed"]).toEqual([id, completed.has(id)]);
  }
}

describe("a queue", () => {
  it("loses no job, gives none to two, and completes none twice, whatever is done to it", async () => {
    let runs = 0;
    const sweep = createSweep(api.server.queue);
    await sweep.run(api.clock.nowMs);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 60, size: "max" }), async (steps) => {
        const model: Model = {
          queue: `m${++runs}`,
          jobs: new Map(),
          keys: new Map(),
          leases: [],
          completed: new Map(),
        };
        for (const one of steps) {
          await perform(model, one);
          await sweep.run(api.clock.nowMs);
          for (const lease of model.leases)
            if (lease.untilMs <= api.clock.nowMs && !model.completed.has(lease.id)) lease.isOver = true;
        }
        await check(model);
        // Whatever was left can be done: nothing is stuck.
        for (let round = 0; round < 12; round++) {
          api.clock.nowMs += 31_000;
          await sweep.run(api.clock.nowMs);
          const { jobs } = await client.lease({ queue: model.queue, limit: 100 });
          for (const { id, token } of jobs) {
            expect((await client.complete(id, token)).status).toBe(200);
            model.completed.set(id, token);
          }
        }
        await check(model);
        const left = await sql`
          select from job j join job_lane l on l.id = j.lane_id where l.queue = ${model.queue}`;
        expect(left).toHaveLength(0);
      }),
      { numRuns: 10 },
    );
    await runQueueUpkeep(api.server.core.queueSql, api.clock.nowMs);
  });
});
