import type { Sql } from "../../db/connect.ts";
import type { QueueDepth, QueuesAnswer } from "../contract/queue.ts";
import { floorTo, HOUR_MS } from "../rollup/levels.ts";
import { type LaneState, toAhead } from "./ahead.ts";
import {
  type LaneCount,
  listDeadCounts,
  listDelayedHours,
  listDueHours,
  listEventCounts,
  listFinishedCounts,
  listLaneCounts,
  listLeasedCounts,
  listMeanDurations,
  listWorkers,
} from "./depth-queries.ts";
import { asItHolds, type GateRow, listGates } from "./gate-queries.ts";
import { toTarget } from "./lane.ts";
import { listLanes } from "./lane-queries.ts";
import { paceOf } from "./pace.ts";

type Counted = Awaited<ReturnType<typeof countAll>>;

/** How much waits and why, and what will run when. Counted at most once in a while for each project. */
export function createDepths(sql: Sql) {
  const counted = new Map<number, { atMs: number; zone: string; all: Promise<Counted> }>();
  return {
    async get(
      projectId: number,
      zone: string,
      queue: string | undefined,
      nowMs: number,
    ): Promise<QueuesAnswer> {
      let known = counted.get(projectId);
      if (known === undefined || known.zone !== zone || Math.abs(nowMs - known.atMs) >= KEPT_MS) {
        known = { atMs: nowMs, zone, all: countAll(sql, projectId, nowMs) };
        counted.set(projectId, known);
        if (counted.size > MOST_KEPT) counted.clear();
        known.all.catch(() => counted.delete(projectId));
      }
      return toAnswer(await known.all, { zone, queue, nowMs: known.atMs });
    },
  };
}

/** A million jobs take a quarter of a second to count. */
const KEPT_MS = 5_000;
const MOST_KEPT = 1_000;

async function countAll(sql: Sql, projectId: number, nowMs: number) {
  const hourMs = floorTo(nowMs, HOUR_MS);
  const since = new Date(nowMs - HOUR_MS);
  const [lanes, gates, counts, dues, delays, finished, events, dead, means, workers, leased] =
    await Promise.all([
      listLanes(sql, projectId, {}),
      listGates(sql, projectId),
      listLaneCounts(sql, projectId, nowMs),
      listDueHours(sql, projectId, new Date(hourMs)),
      listDelayedHours(sql, projectId, new Date(hourMs), nowMs),
      listFinishedCounts(sql, projectId, since),
      listEventCounts(sql, projectId, since),
      listDeadCounts(sql, projectId),
      listMeanDurations(sql, projectId, nowMs),
      listWorkers(sql, projectId, new Date(nowMs - 10 * 60_000)),
      listLeasedCounts(sql, projectId),
    ]);
  return { hourMs, lanes, gates, counts, dues, delays, finished, events, dead, means, workers, leased };
}

interface Asked {
  readonly zone: string;
  readonly queue: string | undefined;
  readonly nowMs: number;
}

function toAnswer(counted: Counted, { zone, queue, nowMs }: Asked): QueuesAnswer {
  const gates = new Map(counted.gates.map((gate) => [gate.id, asItHolds(gate, nowMs)]));
  const counts = new Map(counted.counts.map((count) => [count.laneId, count]));
  const states = counted.lanes
    .filter((lane) => queue === undefined || lane.queue === queue)
    .map(
      (lane): LaneState => ({
        lane,
        count: counts.get(lane.id) ?? noCount(lane.id),
        gate: gates.get(lane.gateId) ?? null,
      }),
    );
  const names = [...new Set(states.map(({ lane }) => lane.queue))].sort();
  const queues = names.map((name) => toDepth(name, states, counted));
  const perMinute = names.reduce(
    (sum, name) =>
      sum +
      paceOf(
        counted.workers.filter((worker) => worker.queue === name),
        counted.means.get(name) ?? null,
        nowMs,
      ),
    0,
  );
  const perHour = perMinute > 0 ? perMinute * 60 : null;
  return {
    at: new Date(nowMs).toISOString(),
    zone,
    queues,
    gates: toGates(states),
    ahead: toAhead(states, counted, { zone, perHour, nowMs }),
    perHour,
  };
}

const noCount = (laneId: number): LaneCount => ({
  laneId,
  free: 0,
  delayed: 0,
  due: 0,
  leased: 0,
  oldestAt: null,
  nextNotAfter: null,
});

const sumOf = (states: readonly LaneState[], of: (state: LaneState) => number) =>
  states.reduce((sum, state) => sum + of(state), 0);

const earliest = (dates: readonly (Date | null)[]) =>
  dates.reduce<Date | null>(
    (least, at) => (at !== null && (least === null || at < least) ? at : least),
    null,
  );

const isHeld = ({ gate }: LaneState) => gate !== null && !gate.isOpen;

function toDepth(queue: string, all: readonly LaneState[], counted: Counted): QueueDepth {
  const states = all.filter(({ lane }) => lane.queue === queue);
  const of = <T extends { readonly queue: string }>(rows: readonly T[]) =>
    rows.find((row) => row.queue === queue);
  const finished = of(counted.finished);
  const events = of(counted.events);
  const leasedBy = counted.leased.filter((row) => row.queue === queue);
  return {
    queue,
    ready: sumOf(states, (state) => (isHeld(state) ? state.count.due : state.count.free)),
    held: sumOf(states, (state) => (isHeld(state) ? Math.max(0, state.count.free - state.count.due) : 0)),
    scheduled: sumOf(states, ({ count }) => count.delayed),
    leased: sumOf(states, ({ count }) => count.leased),
    oldestAt: earliest(states.map(({ count }) => count.oldestAt))?.toISOString() ?? null,
    nextDueAt: earliest(states.map(({ count }) => count.nextNotAfter))?.toISOString() ?? null,
    lastHour: {
      completed: finished?.completed ?? 0,
      dead: finished?.dead ?? 0,
      cancelled: finished?.cancelled ?? 0,
      busy: events?.busy ?? 0,
      failed: events?.failed ?? 0,
      lost: events?.lost ?? 0,
    },
    dead: counted.dead.get(queue) ?? 0,
    meanMs: counted.means.get(queue) ?? null,
    workers: counted.workers
      .filter((worker) => worker.queue === queue)
      .map(({ worker, lastSeenAt, concurrency }) => ({
        worker,
        lastSeenAt: lastSeenAt.toISOString(),
        concurrency,
        leased: leasedBy.find((row) => row.worker === worker)?.leased ?? 0,
      })),
  };
}

/** Each gate of each queue before which something waits. */
function toGates(states: readonly LaneState[]): QueuesAnswer["gates"] {
  const groups = new Map<string, { queue: string; gate: GateRow; waiting: number }>();
  for (const { lane, gate, count } of states) {
    if (gate === null) continue;
    const key = `${gate.id} ${lane.queue}`;
    const group = groups.get(key) ?? { queue: lane.queue, gate, waiting: 0 };
    group.waiting += count.free + count.delayed;
    groups.set(key, group);
  }
  return [...groups.values()]
    .filter(({ waiting }) => waiting > 0)
    .sort((a, b) => b.waiting - a.waiting)
    .map(({ queue, gate, waiting }) => ({
      queue,
      target: toTarget(gate),
      chain: gate.chain === "" ? null : gate.chain,
      waiting,
      isOpen: gate.isOpen,
      reason: gate.reason,
      since: gate.sinceAt.toISOString(),
      until: gate.untilAt?.toISOString() ?? null,
      window:
        gate.windowFrom === null || gate.windowTo === null
          ? null
          : {
              from: gate.windowFrom.toISOString(),
              to: gate.windowTo.toISOString(),
              expected: gate.windowShare ?? 0,
            },
      perMinute: gate.perMinute,
      drainBefore: gate.drainBefore?.toISOString() ?? null,
    }));
}
