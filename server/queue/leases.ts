import type { Sql } from "../../db/connect.ts";
import type { LeasedJob, LeaseRequest } from "../contract/job.ts";
import { payloadPlace, SecretError, type Secrets } from "../secrets/secrets.ts";
import { toTarget } from "./lane.ts";
import { listOpenLanes, type OpenLane } from "./lane-queries.ts";
import { type LeasedRow, leaseJobs, noteWorkers, spendRoom } from "./lease-queries.ts";
import { listPayloads } from "./submit-queries.ts";
import { createTurns, type Turns } from "./turns.ts";

export interface Leases {
  /**
   * Jobs that are ready, at once or as soon as there are some within the request's wait; none when `signal` fires before
   * that, or the server stops.
   */
  take(projectId: number, request: LeaseRequest, signal: AbortSignal): Promise<LeasedJob[]>;
  /** Something may be ready in the project that was not. */
  notice(projectId: number): void;
  /** Nobody is kept waiting any more. */
  close(): void;
  readonly isClosed: boolean;
  /** Resolves when no statement is under way. */
  idle(): Promise<void>;
}

export interface LeaseDeps {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly now: () => number;
  /** A payload cannot be read: whoever got the job is told that it failed. */
  readonly onUnreadable: (projectId: number, job: { id: number; token: string }, error: SecretError) => void;
  /** Whoever asked is gone: nobody has these. */
  readonly onAbandoned: (projectId: number, jobs: readonly LeasedJob[]) => void;
  /** How often it is looked again while somebody waits. */
  readonly everyMs?: number;
  /** Calls back once, unless the returned function is called before. */
  readonly setTimer?: (callback: () => void, delayMs: number) => () => void;
}

interface Waiter {
  readonly request: LeaseRequest;
  readonly answer: (jobs: LeasedJob[]) => void;
  readonly fail: (error: unknown) => void;
  /** Waits no longer than for the next look. */
  isLast: boolean;
}

/** Requests for one queue of one project. */
interface Desk {
  readonly projectId: number;
  readonly queue: string;
  readonly turns: Turns;
  readonly waiters: Set<Waiter>;
  readonly seen: Map<string, number>;
  running: Promise<void> | null;
  /** Asked for while it was running. */
  isAskedAgain: boolean;
}

const EVERY_MS = 1_000;
/** Requests beyond do not wait, so that there is room for others. */
const MOST_WAITING = 2_000;
/** Jobs of one statement. */
const MOST_SLOTS = 500;
const MOST_DESKS = 1_000;
const SEEN_EVERY_MS = 15_000;

const realTimer = (callback: () => void, delayMs: number) => {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};

/**
 * Hands out jobs. Requests for one queue are answered together by one statement at a time, which shares what there is
 * among them; those for which there is nothing wait without holding a connection.
 */
export function createLeases(deps: LeaseDeps): Leases {
  const { everyMs = EVERY_MS, setTimer = realTimer } = deps;
  const desks = new Map<string, Desk>();
  let isClosed = false;
  let waiting = 0;
  let stopLooking: (() => void) | null = null;

  function deskOf(projectId: number, queue: string): Desk {
    const key = `${projectId} ${queue}`;
    let desk = desks.get(key);
    if (desk === undefined) {
      if (desks.size >= MOST_DESKS)
        for (const [old, one] of desks) if (one.waiters.size === 0 && one.running === null) desks.delete(old);
      desk = {
        projectId,
        queue,
        turns: createTurns(),
        waiters: new Set(),
        seen: new Map(),
        running: null,
        isAskedAgain: false,
      };
      desks.set(key, desk);
    }
    return desk;
  }

  function serve(desk: Desk): void {
    if (desk.running !== null) {
      desk.isAskedAgain = true;
      return;
    }
    // Requests that arrived with this one are read in the same turn of the loop.
    desk.running = new Promise<void>((go) => setImmediate(go))
      .then(() => serveOnce(deps, desk))
      .finally(() => {
        desk.running = null;
        const isAsked = desk.isAskedAgain;
        desk.isAskedAgain = false;
        if (isAsked && desk.waiters.size > 0) serve(desk);
        else if (desk.waiters.size > 0) lookLater();
      });
  }

  function lookLater(): void {
    stopLooking ??= setTimer(() => {
      stopLooking = null;
      for (const desk of desks.values()) if (desk.waiters.size > 0) serve(desk);
    }, everyMs);
  }

  return {
    async take(projectId, request, signal) {
      if (isClosed || signal.aborted) return [];
      const desk = deskOf(projectId, request.queue);
      const mayWait = request.wait > 0 && waiting < MOST_WAITING;
      waiting++;
      let stopTimer = () => {};
      try {
        return await new Promise<LeasedJob[]>((resolve, reject) => {
          const waiter: Waiter = {
            request,
            answer: (jobs) => {
              desk.waiters.delete(waiter);
              resolve(jobs);
            },
            fail: (error) => {
              desk.waiters.delete(waiter);
              reject(error);
            },
            isLast: !mayWait,
          };
          desk.waiters.add(waiter);
          if (mayWait)
            stopTimer = setTimer(() => {
              waiter.isLast = true;
              serve(desk);
            }, request.wait * 1_000);
          signal.addEventListener("abort", () => waiter.answer([]), { once: true });
          serve(desk);
        });
      } finally {
        waiting--;
        stopTimer();
      }
    },
    notice(projectId) {
      for (const desk of desks.values())
        if (desk.projectId === projectId && desk.waiters.size > 0) serve(desk);
    },
    close() {
      isClosed = true;
      stopLooking?.();
      stopLooking = null;
      for (const { waiters } of desks.values()) for (const waiter of [...waiters]) waiter.answer([]);
    },
    get isClosed() {
      return isClosed;
    },
    async idle() {
      await Promise.all([...desks.values()].map(({ running }) => running));
    },
  };
}

/** One look for all who wait at the desk; never throws. */
async function serveOnce(deps: LeaseDeps, desk: Desk): Promise<void> {
  const waiters = [...desk.waiters];
  if (waiters.length === 0) return;
  try {
    const taken = await takeFor(deps, desk, waiters);
    for (const waiter of waiters) {
      const jobs = taken.get(waiter) ?? [];
      if (!desk.waiters.has(waiter)) {
        if (jobs.length > 0) deps.onAbandoned(desk.projectId, jobs);
      } else if (jobs.length > 0 || waiter.isLast) waiter.answer(jobs);
    }
  } catch (error) {
    for (const waiter of waiters) waiter.fail(error);
  }
}

/** Each one's first slot, each one's second …: what is scarce is shared. */
function dealSlots(waiters: readonly Waiter[]): Waiter[] {
  const slots: Waiter[] = [];
  for (let round = 0; slots.length < MOST_SLOTS; round++) {
    const before = slots.length;
    for (const waiter of waiters)
      if (waiter.request.limit > round && slots.length < MOST_SLOTS) slots.push(waiter);
    if (slots.length === before) break;
  }
  return slots;
}

async function takeFor(
  deps: LeaseDeps,
  desk: Desk,
  waiters: readonly Waiter[],
): Promise<Map<Waiter, LeasedJob[]>> {
  const { sql, now } = deps;
  const { projectId, queue, turns } = desk;
  const nowMs = now();
  const lanes = await listOpenLanes(sql, projectId, queue, nowMs);
  const taken = new Map<Waiter, LeasedJob[]>();
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
async function noteSeen(sql: Sql, desk: Desk, waiters: readonly Waiter[], nowMs: number): Promise<void> {
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
  { sql, secrets, onUnreadable }: LeaseDeps,
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
