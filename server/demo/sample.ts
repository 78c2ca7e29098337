import type { Sql } from "../../db/connect.ts";
import type { Db } from "../../db/drizzle.ts";
import { project } from "../../db/schema/index.ts";
import { noteChange, type Occasion, SERVER } from "../audit/note-change.ts";
import { MAX_EVENTS_PER_REQUEST } from "../contract/attempt-event.ts";
import { createEpisodeJobs } from "../episodes/job.ts";
import type { Attempt } from "../ingest/attempt.ts";
import { parseAttempt } from "../ingest/parse-attempt.ts";
import { publishPlan } from "../plans/publish.ts";
import { findProject, type ProjectRow, SAMPLE_PROJECT } from "../projects/projects.ts";
import { removeProject } from "../projects/remove-project.ts";
import { runRollup } from "../rollup/job.ts";
import { DAY_MS } from "../rollup/levels.ts";
import { HOME_ZONE } from "./flows.ts";
import { generateTraffic } from "./generate-traffic.ts";
import { SAMPLE_PLAN } from "./sample-plan.ts";

/** The sample begins this long before it is made. */
export const SAMPLE_LENGTH_MS = 56 * DAY_MS;
const DEFAULT_SEED = 7;
const PLAN_REASON = "What the apps had in code";

export interface SampleDeps {
  readonly db: Db;
  readonly sql: Sql;
  /** Stores attempts as ingest does; resolves after commit. */
  readonly store: (projectId: number, attempts: readonly Attempt[]) => Promise<unknown>;
  readonly forgetProject: (projectId: number) => void;
  readonly rawRetentionDays: number;
}

export interface SampleProgress {
  /** Made so far. */
  readonly attempts: number;
  /** Of the weeks to fill, 0–1; at 1 they are being added up. */
  readonly share: number;
}

/**
 * Makes the sample project and fills it with eight weeks of made traffic that end now; an earlier one is removed
 * first. The same seed and time give the same sample. Broken off, by the signal or a crash, it is completed by the
 * trickle of the next server.
 *
 * @returns the project, and how many attempts it holds
 */
export async function createSample(
  deps: SampleDeps,
  nowMs: number,
  {
    seed = DEFAULT_SEED,
    onProgress = () => {},
    signal,
    occasion = { actor: SERVER, at: new Date(nowMs), requestId: null },
  }: {
    seed?: number;
    onProgress?: (progress: SampleProgress) => void;
    signal?: AbortSignal;
    occasion?: Occasion;
  } = {},
): Promise<{ project: ProjectRow; attempts: number }> {
  await removeSample(deps, occasion);
  const made = await insertSample(deps.db, { seed, nowMs }, occasion);
  await publishPlan(deps.db, made, { what: SAMPLE_PLAN, basedOn: 0, reason: PLAN_REASON }, occasion);
  const lengthMs = Math.min(SAMPLE_LENGTH_MS, deps.rawRetentionDays * DAY_MS);
  onProgress({ attempts: 0, share: 0 });
  const attempts = await fill(deps, made, { fromMs: nowMs - lengthMs, toMs: nowMs, onProgress, signal });
  if (signal?.aborted) return { project: made, attempts };
  onProgress({ attempts, share: 1 });
  await runRollup(deps.sql, nowMs);
  await createEpisodeJobs(deps.sql).runNightly(nowMs);
  return { project: made, attempts };
}

function insertSample(
  db: Db,
  { seed, nowMs }: { seed: number; nowMs: number },
  occasion: Occasion,
): Promise<ProjectRow> {
  return db.transaction(async (tx) => {
    const [made] = await tx
      .insert(project)
      .values({
        slug: SAMPLE_PROJECT,
        name: "Sample data",
        timeZone: HOME_ZONE,
        isSample: true,
        sampleSeed: seed,
        createdAt: new Date(nowMs),
      })
      .returning();
    if (made === undefined) throw new Error("the sample project was not returned");
    await noteChange(tx, occasion, {
      action: "sample.created",
      project: made,
      subject: made,
      after: { slug: made.slug, name: made.name },
    });
    return made;
  });
}

/** Removes the sample project with all of its data; false when there is none. */
export async function removeSample(
  { db, sql, forgetProject }: SampleDeps,
  occasion: Occasion,
): Promise<boolean> {
  const sample = await findProject(db, SAMPLE_PROJECT);
  if (sample === null || !sample.isSample) return false;
  await removeProject(sql, sample, occasion);
  forgetProject(sample.id);
  return true;
}

/** What is asked for again each time: attempts that were still under way, or a tick that was missed. */
const TRICKLE_OVERLAP_MS = 10 * 60_000;

/**
 * Adds the sample's traffic since it last did, up to now; after a restart, since the last stored attempt.
 * Attempts carry the same ids whenever they are made, so asking for a stretch again stores nothing twice.
 *
 * @param startedMs a sample that was there before was left by an earlier run, perhaps half made: it is completed. One
 *   that came later is being made by somebody else, whose weeks are left to them.
 */
export function createTrickle(deps: SampleDeps, startedMs: number): (nowMs: number) => Promise<void> {
  let doneUntilMs: number | null = null;
  return async (nowMs) => {
    const sample = await findProject(deps.db, SAMPLE_PROJECT);
    if (sample === null || !sample.isSample) {
      doneUntilMs = null;
      return;
    }
    doneUntilMs ??= await getLastAttemptMs(deps.sql, sample.id, nowMs);
    const createdAtMs = sample.createdAt.getTime();
    const earliestMs = createdAtMs < startedMs ? createdAtMs - SAMPLE_LENGTH_MS : createdAtMs;
    const fromMs = Math.max(
      (doneUntilMs ?? createdAtMs) - TRICKLE_OVERLAP_MS,
      earliestMs,
      nowMs - Math.min(SAMPLE_LENGTH_MS, deps.rawRetentionDays * DAY_MS),
    );
    if (fromMs < nowMs) await fill(deps, sample, { fromMs, toMs: nowMs });
    doneUntilMs = nowMs;
  };
}

async function getLastAttemptMs(sql: Sql, projectId: number, nowMs: number): Promise<number | null> {
  const [row] = await sql<{ last: Date | null }[]>`
    select max(occurred_at) as last from attempt
     where project_id = ${projectId} and occurred_at > ${new Date(nowMs - SAMPLE_LENGTH_MS)}`;
  return row?.last?.getTime() ?? null;
}

interface Stretch {
  readonly fromMs: number;
  /** Now. */
  readonly toMs: number;
  readonly onProgress?: (progress: SampleProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/** @returns how many attempts were made */
async function fill(
  deps: SampleDeps,
  sample: ProjectRow,
  { fromMs, toMs, onProgress = () => {}, signal }: Stretch,
): Promise<number> {
  const seed = sample.sampleSeed ?? DEFAULT_SEED;
  const limits = { nowMs: toMs, rawRetentionDays: deps.rawRetentionDays };
  let batch: Attempt[] = [];
  let count = 0;
  const flush = async () => {
    await deps.store(sample.id, batch);
    count += batch.length;
    const reachedMs = batch.at(-1)?.occurredAtMs ?? toMs;
    // The whole of it is told by whoever knows that nothing follows.
    onProgress({ attempts: count, share: Math.min(0.999, (reachedMs - fromMs) / (toMs - fromMs)) });
    batch = [];
  };
  for (const event of generateTraffic({ seed, anchorMs: sample.createdAt.getTime(), fromMs, toMs })) {
    const parsed = parseAttempt(event, limits);
    if (parsed.ok) batch.push(parsed.attempt);
    if (batch.length >= MAX_EVENTS_PER_REQUEST) await flush();
    if (signal?.aborted) return count;
  }
  if (batch.length > 0) await flush();
  return count;
}
