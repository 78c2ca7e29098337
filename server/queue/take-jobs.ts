import type { Sql } from "../../db/connect.ts";
import type { LeasedJob, LeaseRequest } from "../contract/job-lease.ts";
import { payloadPlace, SecretError, type Secrets } from "../secrets/secrets.ts";
import { toTarget } from "./lane.ts";
import { listOpenLanes, type OpenLane } from "./lane-queries.ts";
import { type LeasedRow, leaseJobs, noteWorkers, SEEN_EVERY_MS, spendRoom } from "./lease-queries.ts";
import { listPayloads } from "./submit-queries.ts";
import type { Turns } from "./turns.ts";

export interface TakeDeps {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly now: () => number;
  /** A payload cannot be read: whoever got the job is told that it failed. */
  readonly onUnreadable: (projectId: number, job: { id: number; token: string }, error: SecretError) => void;
}

/** Whoever asks for jobs. */
export interface Asker {
  readonly request: LeaseRequest;
}

/** What is remembered of a queue of a project between two requests. */
export interface QueueDesk {
  readonly projectId: number;
  readonly queue: string;
  readonly turns: Turns;
  /** When each worker was noted last. */
  readonly seen: Map<string, number>;
}

/** Jobs of one statement. */
const MOST_SLOTS = 500;

/** Each one's first slot, each one's second …: what is scarce is shared. */
function dealSlots<W extends Asker>(waiters: readonly W[]): W[] {
  const slots: W[] = [];
  for (let round = 0; slots.length < MOST_SLOTS; round++) {
    const before = slots.length;
    for (const waiter of waiters)
      if (waiter.request.limit > round && slots.length < MOST_SLOTS) slots.push(waiter);
    if (slots.length === before) break;
  }
  return slots;
}

/** Takes what is ready for all who ask, and shares it among them. Who gets nothing is left out. */
export async function takeJobs<W extends Asker>(
  deps: TakeDeps,
  desk: QueueDesk,
  waiters: readonly W[],
): Promise<Map<W, LeasedJob[]>> {
  const { sql, now } = deps;
  const { projectId, queue, turns } = desk;
  const nowMs = now();
  const lanes = await listOpenLanes(sql, projectId, queue, nowMs);
  const taken = new Map<W, LeasedJob[]>();
  await noteSeen(sql, desk, waiters, nowMs);
  if (lanes.length === 0) return taken;
  const submitters = lanes.map(({ submitter }) => submitter);
  const order = turns.order(submitters);
  const slots = dealSlots(waiters);
  const rows = await leaseJobs(
    sql,
    projectId,
    lanes.map((lane) => ({ ...lane, turn: order.get(lane.submitter) ?? 0 })),
    slots.map(({ request: { worker, leaseMs } }) => ({ worker, leaseMs })),
    { oldest: turns.oldestOf(slots.length), nowMs },
  );
  if (rows.length === 0) return taken;
  const laneOf = new Map(lanes.map((lane) => [lane.id, lane]));
  const counts = new Map<string, number>();
  const spent = new Map<number, number>();
  for (const { laneId } of rows) {
    const lane = laneOf.get(laneId) as OpenLane;
    counts.set(lane.submitter, (counts.get(lane.submitter) ?? 0) + 1);
    if (lane.room !== null) spent.set(lane.gateId, (spent.get(lane.gateId) ?? 0) + 1);
  }
  turns.served(counts, submitters);
  if (spent.size > 0) await spendRoom(sql, projectId, spent);
  const payloads = await readPayloads(deps, projectId, rows);
  for (const row of rows) {
    const waiter = slots[row.slot];
    const payload = payloads.get(row.id);
    if (waiter === undefined || payload === "unreadable") continue;
    const job = toLeasedJob(row, laneOf.get(row.laneId) as OpenLane, payload);
    taken.set(waiter, [...(taken.get(waiter) ?? []), job]);
  }
  return taken;
}

/** Workers are known by their asking; to some seconds is enough. */
async function noteSeen(sql: Sql, desk: QueueDesk, waiters: readonly Asker[], nowMs: number): Promise<void> {
  const fresh = new Map<string, { worker: string; concurrency: number | null }>();
  for (const { request } of waiters) {
    const { worker, concurrency = null } = request;
    if (Math.abs(nowMs - (desk.seen.get(worker) ?? Number.NEGATIVE_INFINITY)) >= SEEN_EVERY_MS)
      fresh.set(worker, { worker, concurrency });
  }
  if (fresh.size === 0) return;
  await noteWorkers(sql, desk.projectId, desk.queue, [...fresh.values()], nowMs);
  if (desk.seen.size > 10_000) desk.seen.clear();
  for (const worker of fresh.keys()) desk.seen.set(worker, nowMs);
}

async function readPayloads(
  { sql, secrets, onUnreadable }: TakeDeps,
  projectId: number,
  rows: readonly LeasedRow[],
): Promise<Map<number, { readonly json: unknown } | "unreadable">> {
  const wanted = rows.filter(({ payloadBytes }) => payloadBytes !== null);
  const read = new Map<number, { readonly json: unknown } | "unreadable">();
  if (wanted.length === 0) return read;
  const sealed = await listPayloads(
    sql,
    projectId,
    wanted.map(({ id }) => id),
  );
  const byJob = new Map(sealed.map((payload) => [payload.jobId, payload]));
  for (const { id, token } of wanted) {
    try {
      const payload = byJob.get(id);
      if (payload === undefined)
        throw new SecretError({
          code: "secret_damaged",
          message: "The payload is gone: it was kept for as long as the project keeps payloads.",
        });
      read.set(id, { json: JSON.parse(secrets.unseal(payloadPlace({ projectId, jobId: id }), payload)) });
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      read.set(id, "unreadable");
      onUnreadable(projectId, { id, token }, error);
    }
  }
  return read;
}

function toLeasedJob(
  row: LeasedRow,
  lane: OpenLane,
  payload: { readonly json: unknown } | undefined,
): LeasedJob {
  return {
    id: row.id,
    token: row.token,
    leasedUntil: row.leasedUntil.toISOString(),
    queue: lane.queue,
    submitter: lane.submitter,
    idempotencyKey: row.key ?? `busyhour-job-${row.id}`,
    reference: row.reference,
    ...(payload === undefined ? {} : { payload: payload.json }),
    target: toTarget(lane),
    chain: lane.chain === "" ? null : lane.chain,
    attempt: row.leaseCount,
    failures: row.failureCount,
    maxAttempts: row.maxAttempts,
    notAfter: row.notAfter?.toISOString() ?? null,
    expectedMs: row.expectedMs,
    isDue: row.dueAt !== null && row.dueAt.getTime() <= lane.dueBefore.getTime(),
    submittedAt: row.submittedAt.toISOString(),
  };
}
