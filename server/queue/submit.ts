import type { Sql } from "../../db/connect.ts";
import { PRIORITIES } from "../contract/job.ts";
import type { SubmittedJobs } from "../contract/job-submission.ts";
import { invalidBody } from "../http/parse.ts";
import { HOUR_MS } from "../rollup/levels.ts";
import { payloadPlace, type Secrets } from "../secrets/secrets.ts";
import { type Batches, createBatches } from "./batches.ts";
import { findWindowOpening } from "./gate-queries.ts";
import { toHash } from "./lane.ts";
import type { Lanes } from "./lanes.ts";
import type { ReadJob } from "./read-jobs.ts";
import { findByKeys, insertJobs, insertPayloads, listWebhooks, type NewRow } from "./submit-queries.ts";

export interface Submission {
  readonly projectId: number;
  readonly jobs: readonly ReadJob[];
  /** Of jobs that name none. */
  readonly submitter: string;
  readonly payloadHours: number;
  readonly nowMs: number;
}

type Fates = SubmittedJobs["jobs"];

export interface Submit {
  /** Stores all of them or none; resolves after commit. @throws AppError */
  (submission: Submission): Promise<Fates>;
  idle(): Promise<void>;
}

interface Batch {
  readonly rows: readonly NewRow[];
  readonly payloadsUntil: Date;
}

const ROWS_PER_TRANSACTION = 2_000;

export interface SubmitDeps {
  readonly sql: Sql;
  readonly lanes: Lanes;
  readonly secrets: Secrets;
  /** Jobs were added to a project. */
  readonly onSubmitted: (projectId: number) => void;
}

export function createSubmit({ sql, lanes, secrets, onSubmitted }: SubmitDeps): Submit {
  const batches: Batches<Batch, Fates> = createBatches({
    run: (projectId, items) => store(sql, secrets, projectId, items),
    weigh: ({ rows }) => rows.length,
    most: ROWS_PER_TRANSACTION,
  });

  async function submit(submission: Submission): Promise<Fates> {
    const { projectId, jobs, payloadHours, nowMs } = submission;
    await assertWebhooks(sql, projectId, jobs);
    const payloadsUntil = new Date(nowMs + payloadHours * HOUR_MS);
    const tryIt = async () => {
      const laneIds = await findLanes(lanes, sql, submission);
      const rows = jobs.map((job, i) => toRow(job, laneIds[i] as number, nowMs));
      return batches.add(projectId, { rows, payloadsUntil });
    };
    const fates = await tryIt().catch((error: unknown) => {
      if (!(error instanceof LaneGone)) throw error;
      lanes.forget(projectId);
      return tryIt();
    });
    onSubmitted(projectId);
    return fates;
  }
  return Object.assign(submit, { idle: () => batches.idle() });
}

/** What this server remembers of a project's lanes holds no more. */
class LaneGone extends Error {}

async function assertWebhooks(sql: Sql, projectId: number, jobs: readonly ReadJob[]): Promise<void> {
  const named = [...new Set(jobs.flatMap(({ notify }) => notify ?? []))];
  if (named.length === 0) return;
  const webhooks = await listWebhooks(sql, projectId, named);
  const faults = jobs.flatMap(({ notify }, i) =>
    notify === null || webhooks.has(notify)
      ? []
      : [{ pointer: `/jobs/${i}/notify`, detail: "is no webhook channel of this project" }],
  );
  if (faults.length > 0) throw invalidBody(faults);
}

/** Many jobs of a request go the same way: each way is looked up once. */
async function findLanes(lanes: Lanes, sql: Sql, submission: Submission): Promise<number[]> {
  const { projectId, jobs, submitter, nowMs } = submission;
  const found = new Map<string, Promise<number>>();
  const once = (key: string, find: () => Promise<number>) => {
    const known = found.get(key) ?? find();
    found.set(key, known);
    return known;
  };
  const opensMs = new Map<number, number | null>();
  const ids: number[] = [];
  for (const job of jobs) {
    const { queue, provider, model, endpoint, chain } = job;
    const gate = (mode: "window" | "calm") =>
      once(JSON.stringify([mode, provider, model, endpoint, chain]), () =>
        lanes.gateOf(projectId, { mode, provider, model, endpoint, chain }, nowMs),
      );
    let gateId = 0;
    if (job.isOffPeak) {
      gateId = await gate("window");
      const dueMs = dueMsOf(job);
      if (dueMs !== null) {
        if (!opensMs.has(gateId)) opensMs.set(gateId, await findWindowOpening(sql, projectId, gateId));
        const opens = opensMs.get(gateId) ?? null;
        // A window that opens when it is too late is none: such jobs go when it is calm before that.
        if (opens !== null && opens >= dueMs) gateId = await gate("calm");
      }
    }
    const parts = {
      queue,
      submitter: job.submitter ?? submitter,
      priority: PRIORITIES.indexOf(job.priority),
      provider,
      model,
      endpoint,
      chain,
      gateId,
    };
    ids.push(await once(JSON.stringify(parts), () => lanes.laneOf(projectId, parts, nowMs)));
  }
  return ids;
}

/** When it is ready whatever the hour; `null`: it has no latest time. */
function dueMsOf({ notAfterMs, expectedMs }: ReadJob): number | null {
  return notAfterMs === null ? null : notAfterMs - expectedMs;
}

const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));

function toRow(job: ReadJob, laneId: number, nowMs: number): NewRow {
  return {
    laneId,
    key: job.key,
    keyHash: job.key === null ? null : toHash(job.queue, job.key),
    reference: job.reference,
    payload: job.payload,
    payloadBytes: job.payloadBytes,
    notify: job.notify,
    submittedAt: new Date(nowMs),
    notBefore: toDate(job.notBeforeMs),
    notAfter: toDate(job.notAfterMs),
    expectedMs: job.expectedMs,
    dueAt: toDate(dueMsOf(job)),
    maxAttempts: job.maxAttempts,
  };
}

async function store(
  sql: Sql,
  secrets: Secrets,
  projectId: number,
  batches: readonly Batch[],
): Promise<Fates[]> {
  const rows = batches.flatMap((batch) => batch.rows);
  const stored = await sql.begin(async (tx) => {
    const found = await insertJobs(tx, projectId, rows);
    if (found.length < rows.length) throw new LaneGone("a lane went away while jobs were put into it");
    const idOf = new Map(found.filter(({ isNew }) => isNew).map(({ place, id }) => [place, id]));
    let from = 0;
    for (const batch of batches) {
      const sealed = batch.rows.flatMap(({ payload }, i) => {
        const jobId = idOf.get(from + i);
        if (payload === null || jobId === undefined) return [];
        return [{ jobId, ...secrets.seal(payloadPlace({ projectId, jobId }), payload) }];
      });
      if (sealed.length > 0) await insertPayloads(tx, projectId, sealed, batch.payloadsUntil);
      from += batch.rows.length;
    }
    return found;
  });
  return toFates(sql, projectId, batches, stored);
}

/** Keys that were there are looked up after the commit: the job of another server's transaction is seen by then. */
async function toFates(
  sql: Sql,
  projectId: number,
  batches: readonly Batch[],
  stored: readonly { readonly place: number; readonly id: number; readonly isNew: boolean }[],
): Promise<Fates[]> {
  const rows = batches.flatMap((batch) => batch.rows);
  const old = stored.filter(({ isNew }) => !isNew).flatMap(({ place }) => rows[place]?.keyHash ?? []);
  const known = old.length === 0 ? new Map<string, number>() : await findByKeys(sql, projectId, old);
  const fates: Fates = rows.map(({ key }) => ({ id: 0, key, isNew: false }));
  for (const { place, id, isNew } of stored) {
    const fate = fates[place];
    if (fate === undefined) continue;
    fate.isNew = isNew;
    // Gone since: it was kept no more at the very moment.
    fate.id = isNew ? id : (known.get(rows[place]?.keyHash ?? "") ?? id);
  }
  let from = 0;
  return batches.map((batch) => {
    const own = fates.slice(from, from + batch.rows.length);
    from += batch.rows.length;
    return own;
  });
}
