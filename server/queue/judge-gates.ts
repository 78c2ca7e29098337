import type { ISql, Sql } from "../../db/connect.ts";
import { DAY_MS } from "../rollup/levels.ts";
import { decideGate, type GateVerdict } from "./decide-gate.ts";
import { listMeanDurations, listWorkers } from "./depth-queries.ts";
import { type DueWork, findDrainBefore, meanExpected } from "./drain.ts";
import {
  countWaitingByGate,
  type GateRow,
  insertGateChange,
  listDueCounts,
  listGatedProjects,
  listGateQueues,
  listGates,
  updateGate,
} from "./gate-queries.ts";
import { createGateLearner, type GateLearning, type LearnDeps } from "./learn-gate.ts";
import { paceOf } from "./pace.ts";
import { lookAround } from "./present.ts";

export interface GateDeps extends LearnDeps {
  readonly sql: Sql;
  /** A gate of the project opened or shut. */
  readonly onChanged: (projectId: number) => void;
}

/** Between two portions of what is let go little by little. */
const PORTION_MS = 50_000;

/**
 * Judges the gates before which jobs wait: by what is usual at this hour, by how it is now, and by how much must be done by
 * when. Touches no job. Running it twice changes nothing. @returns gates that were judged
 */
export async function judgeGates(deps: GateDeps, nowMs: number): Promise<number> {
  let count = 0;
  const failures: unknown[] = [];
  for (const { projectId, timeZone } of await listGatedProjects(deps.sql)) {
    try {
      count += await judgeProject(deps, projectId, timeZone, nowMs);
    } catch (error) {
      // The others' jobs do not wait for what is wrong with this one.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return count;
}

async function judgeProject(deps: GateDeps, projectId: number, zone: string, nowMs: number): Promise<number> {
  const { sql } = deps;
  const waiting = await countWaitingByGate(sql, projectId);
  const gates = (await listGates(sql, projectId)).filter(({ id }) => waiting.has(id));
  const learner = createGateLearner(deps, projectId, zone, nowMs);
  const learnings = new Map<number, GateLearning>();
  for (const gate of gates) {
    const known = gate.learnt;
    if (known !== null && (await learner.isFresh(gate)))
      learnings.set(gate.id, { learnt: known, rates: gate.rates });
    else learnings.set(gate.id, await learner.learn(gate));
  }
  const presentOf = await lookAround(deps.readSql, projectId, nowMs);
  const dues = await listDueCounts(sql, projectId, new Date(nowMs + DAY_MS));
  const perMinute = await listPaces(sql, projectId, dues, nowMs);
  const changed = await sql.begin(async (tx) => {
    let changes = 0;
    for (const gate of await listGates(tx, projectId, true)) {
      const learning = learnings.get(gate.id);
      if (learning === undefined) continue;
      const { learnt } = learning;
      const verdict = decideGate({
        mode: gate.mode,
        zone,
        nowMs,
        waiting: waiting.get(gate.id) ?? 0,
        targets: learnt.targets.map((target) => ({ learnt: target, present: presentOf(target) })),
        before: {
          isOpen: gate.isOpen,
          reason: gate.reason,
          perMinute: gate.perMinute,
          // Held by the row, which another run may have changed since.
          calmSinceMs: gate.learnt?.calmSinceMs ?? null,
        },
      });
      const drainMs =
        verdict.isOpen && verdict.perMinute === null
          ? null
          : findDrainBefore(dues.get(gate.id) ?? NO_DUES, perMinute.get(gate.id) ?? 0, nowMs);
      if (await writeVerdict(tx, projectId, gate, { learning, verdict, drainMs, nowMs })) changes++;
    }
    return changes;
  });
  if (changed > 0) deps.onChanged(projectId);
  return gates.length;
}

const NO_DUES: readonly DueWork[] = [];

/** Jobs a minute of the workers of each gate's queues, by how long they took of late, else by how long they are said to. */
async function listPaces(
  sql: Sql,
  projectId: number,
  dues: ReadonlyMap<number, readonly DueWork[]>,
  nowMs: number,
): Promise<Map<number, number>> {
  const [workers, means, queues] = await Promise.all([
    listWorkers(sql, projectId, new Date(nowMs - DAY_MS)),
    listMeanDurations(sql, projectId, nowMs),
    listGateQueues(sql, projectId),
  ]);
  const paces = new Map<number, number>();
  for (const [gateId, names] of queues) {
    const sum = [...names].reduce(
      (pace, queue) =>
        pace +
        paceOf(
          workers.filter((worker) => worker.queue === queue),
          means.get(queue) ?? meanExpected(dues.get(gateId) ?? []),
          nowMs,
        ),
      0,
    );
    paces.set(gateId, sum);
  }
  return paces;
}

const toDate = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : new Date(ms));

/** @returns whether something else is let go than before */
async function writeVerdict(
  tx: ISql,
  projectId: number,
  gate: GateRow,
  {
    learning: { learnt, rates },
    verdict,
    drainMs,
    nowMs,
  }: {
    readonly learning: GateLearning;
    readonly verdict: GateVerdict;
    readonly drainMs: number | null;
    readonly nowMs: number;
  },
): Promise<boolean> {
  const { isOpen, reason, window } = verdict;
  const isSame = gate.judgedAt !== null && gate.isOpen === isOpen && gate.reason === reason;
  const isDraining = drainMs !== null;
  const wasDraining = gate.drainBefore !== null;
  const sinceLastMs = gate.judgedAt === null ? Number.POSITIVE_INFINITY : nowMs - gate.judgedAt.getTime();
  // A run that comes twice in a minute lets no second portion go. Clocks may have been set back.
  const isNewPortion = !isSame || sinceLastMs >= PORTION_MS || sinceLastMs < 0;
  const perMinute =
    verdict.perMinute === null || isNewPortion ? verdict.perMinute : (gate.perMinute ?? verdict.perMinute);
  const change = {
    isOpen,
    reason,
    sinceAt: isSame ? gate.sinceAt : new Date(nowMs),
    untilAt: toDate(verdict.untilMs),
    windowFrom: toDate(window?.fromMs),
    windowTo: toDate(window?.toMs),
    windowShare: window?.expected ?? null,
    perMinute,
    room: perMinute === null ? null : isNewPortion ? perMinute : gate.room,
    drainBefore: toDate(drainMs),
    learnt: { ...learnt, calmSinceMs: verdict.calmSinceMs },
    rates,
    judgedAt: new Date(nowMs),
  };
  await updateGate(tx, projectId, gate.id, change);
  if (!isSame) await insertGateChange(tx, projectId, gate.id, change);
  else if (isDraining && !wasDraining)
    await insertGateChange(tx, projectId, gate.id, {
      ...change,
      isOpen: false,
      reason: "mustDrain",
      untilAt: change.drainBefore,
    });
  return !isSame || perMinute !== null || isDraining;
}
