import type { ISql, Sql } from "../../db/connect.ts";
import type { JobState } from "../contract/job.ts";
import { type Batches, createBatches } from "./batches.ts";
import { type Decision, decideEnding, type Ending } from "./decide-ending.ts";
import {
  finishJobs,
  insertEvents,
  type LiveRow,
  listDone,
  lockJobs,
  type NewEvent,
  returnJobs,
} from "./settle-queries.ts";

/** A lease that is said to have ended. */
export interface Settlement {
  readonly id: number;
  readonly token: string;
  readonly ending: Ending;
  readonly nowMs: number;
}

/** `unknown`: not kept any more, or never the project's. `lost`: the lease had ended before; nothing was changed. */
export type Settled =
  | { readonly is: "settled"; readonly state: JobState; readonly readyMs: number | null }
  | { readonly is: "unknown" | "lost" };

export interface Settle {
  /** Resolves after commit. */
  (projectId: number, settlement: Settlement): Promise<Settled>;
  idle(): Promise<void>;
}

const MOST_PER_TRANSACTION = 500;

/** @param onFinished after the commit */
export function createSettle(
  sql: Sql,
  onSettled: (projectId: number, finished: readonly number[]) => void,
): Settle {
  const batches: Batches<Settlement, Settled> = createBatches({
    async run(projectId, items) {
      const { fates, finished } = await sql.begin((tx) => settleAll(tx, projectId, items));
      onSettled(projectId, finished);
      return fates;
    },
    most: MOST_PER_TRANSACTION,
  });
  const settle = (projectId: number, settlement: Settlement) => batches.add(projectId, settlement);
  return Object.assign(settle, { idle: () => batches.idle() });
}

/** Ends leases, each by its own token: of a lease that ended before nothing is changed. */
export async function settleAll(
  tx: ISql,
  projectId: number,
  settlements: readonly Settlement[],
): Promise<{ fates: Settled[]; finished: number[] }> {
  const live = new Map(
    (
      await lockJobs(
        tx,
        projectId,
        settlements.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  );
  const decided = new Map<number, { row: LiveRow; decision: Decision; settlement: Settlement }>();
  for (const settlement of settlements) {
    const row = live.get(settlement.id);
    if (row === undefined || row.token !== settlement.token || decided.has(row.id)) continue;
    const { ending, nowMs } = settlement;
    // Extended since it was found.
    if (ending.is === "lost" && (row.leasedUntil?.getTime() ?? 0) > nowMs) continue;
    decided.set(row.id, { row, settlement, decision: decideEnding(row, ending, nowMs) });
  }
  const [first] = settlements;
  if (decided.size > 0 && first !== undefined)
    await writeDecisions(tx, projectId, [...decided.values()], first.nowMs);
  const gone = settlements.filter(({ id }) => !live.has(id)).map(({ id }) => id);
  const done = new Map(
    gone.length === 0 ? [] : (await listDone(tx, projectId, gone)).map((row) => [row.id, row]),
  );
  const fates = settlements.map(({ id, token }): Settled => {
    const one = decided.get(id);
    if (one !== undefined && one.settlement.token === token)
      return { is: "settled", state: one.decision.to, readyMs: one.decision.readyMs };
    const row = live.get(id);
    if (row !== undefined) {
      // Said before: the answer did not arrive.
      if (row.endedToken !== token) return { is: "lost" };
      const isWaiting = row.token === null;
      return {
        is: "settled",
        state: isWaiting ? "waiting" : "leased",
        readyMs: isWaiting ? (row.delayedUntil?.getTime() ?? null) : null,
      };
    }
    const end = done.get(id);
    if (end === undefined) return { is: "unknown" };
    return end.endedToken === token ? { is: "settled", state: end.state, readyMs: null } : { is: "lost" };
  });
  const finished = [...decided.values()]
    .filter(({ decision }) => decision.to !== "waiting")
    .map(({ row }) => row.id);
  return { fates, finished };
}

async function writeDecisions(
  tx: ISql,
  projectId: number,
  decided: readonly { row: LiveRow; decision: Decision; settlement: Settlement }[],
  nowMs: number,
): Promise<void> {
  const events = decided.map(
    ({ row, decision }): NewEvent => ({
      jobId: row.id,
      laneId: row.laneId,
      number: row.eventCount + 1,
      kind: decision.kind,
      worker: row.worker,
      leasedAt: row.leasedAt,
      untilAt: decision.readyMs === null ? null : new Date(decision.readyMs),
      detail: decision.error,
    }),
  );
  const common = ({ row, decision, settlement }: (typeof decided)[number]) => ({
    id: row.id,
    error: decision.error,
    // What a worker says it may say again; a worker that was not heard of has nothing more to say.
    endedToken: settlement.ending.is === "lost" ? null : settlement.token,
    failureCount: decision.failureCount,
    busyCount: decision.busyCount,
    eventCount: row.eventCount + 1,
  });
  const finished = decided.flatMap((one) => {
    const { to } = one.decision;
    if (to === "waiting") return [];
    const { ending } = one.settlement;
    const result = ending.is === "completed" && ending.result !== null ? JSON.stringify(ending.result) : null;
    return [{ ...common(one), state: to, result }];
  });
  const returned = decided.flatMap((one) => {
    const { to, readyMs, kind } = one.decision;
    if (to !== "waiting" || readyMs === null) return [];
    const delayReason = kind === "busy" || kind === "stopped" ? kind : ("failed" as const);
    return [{ ...common(one), delayedUntil: new Date(readyMs), delayReason }];
  });
  if (finished.length > 0) await finishJobs(tx, projectId, finished, nowMs);
  if (returned.length > 0) await returnJobs(tx, projectId, returned);
  await insertEvents(tx, projectId, events, nowMs);
}
