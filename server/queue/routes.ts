import type { Sql } from "../../db/connect.ts";
import type { Principal } from "../access/principal.ts";
import { diff, noteChangeSql, toActor } from "../audit/note-change.ts";
import type { Job } from "../contract/job.ts";
import * as contract from "../contract/job-routes.ts";
import { cutPage, readCursor } from "../http/cursor.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { cancelJobs, retryJobs } from "./change.ts";
import { describeJob } from "./describe-job.ts";
import { asItHolds, listGateChanges, listGates } from "./gate-queries.ts";
import { toHash } from "./lane.ts";
import { listLanes } from "./lane-queries.ts";
import { tellLife } from "./life.ts";
import { findJob, type JobRow, listEvents, listJobs } from "./list-queries.ts";
import type { Queue } from "./queue.ts";
import { readJobs } from "./read-jobs.ts";
import { deletePayloads, getQueueSettings, putQueueSettings } from "./settings.ts";
import { findByKeys } from "./submit-queries.ts";
import { untilGone } from "./until-gone.ts";
import { noSuchJob, workerRoutes } from "./worker-routes.ts";

export interface QueueRouteDeps {
  readonly queue: Queue;
  readonly readSql: Sql;
}

export function queueRoutes(deps: QueueRouteDeps): BoundRoute[] {
  return [...submitterRoutes(deps), ...workerRoutes(deps.queue), ...lookerRoutes(deps)];
}

/** Names of people and keys are longer than labels may be, and cut they must still be texts. */
const submitterOf = (principal: Principal) =>
  toActor(principal)
    .name.replace(/\p{Cc}/gu, " ")
    .slice(0, 100)
    .toWellFormed() || "nobody";

function submitterRoutes({ queue, readSql }: QueueRouteDeps): BoundRoute[] {
  const { sql } = queue;
  return [
    bindRoute(contract.postJobs, async ({ principal, project, body, nowMs }) => {
      const settings = await getQueueSettings(sql, project.id);
      const jobs = await queue.submit({
        projectId: project.id,
        jobs: readJobs(body, settings, nowMs),
        submitter: submitterOf(principal),
        payloadHours: settings.payloadHours,
        nowMs,
      });
      return { jobs };
    }),
    bindRoute(contract.getJobs, async ({ project, query, nowMs }) => {
      const { queue: name, submitter, key, state, limit } = query;
      const before = readCursor(query.cursor, "bigint");
      if (key !== undefined) {
        const found = await findOfKey(readSql, project.id, name ?? "default", key);
        return { jobs: await describe(readSql, project.id, found, nowMs), next: null };
      }
      const lanes =
        name === undefined && submitter === undefined
          ? null
          : await listLanes(readSql, project.id, { queue: name, submitter });
      const rows = await listJobs(readSql, project.id, {
        state,
        laneIds: lanes?.map(({ id }) => id) ?? null,
        before,
        limit: limit + 1,
      });
      const { page, next } = cutPage(rows, limit);
      return { jobs: await describe(readSql, project.id, page, nowMs), next };
    }),
    bindRoute(contract.getJob, async ({ project, params, query, res }) => {
      let row = await getJob(readSql, project.id, params.id);
      if (row.finishedAt === null && query.wait > 0) {
        // No connection to the database is held in the meantime.
        await queue.finishWatch.wait(project.id, row.id, query.wait * 1_000, untilGone(res));
        row = await getJob(readSql, project.id, params.id);
      }
      const nowMs = queue.now();
      const [job] = await describe(readSql, project.id, [row], nowMs);
      return { ...(job as Job), life: await lifeOf(readSql, project.id, row, job as Job, nowMs) };
    }),
    bindRoute(contract.postJobCancellations, async ({ project, body, occasion }) => {
      const { cancelled, ...counts } = await cancelJobs(sql, project, body, occasion);
      queue.finishWatch.notice(project.id, cancelled);
      return { cancelled: cancelled.length, ...counts };
    }),
    bindRoute(contract.postJobRetries, async ({ project, body, occasion }) => {
      const counts = await retryJobs(sql, project, body, occasion);
      queue.leases.notice(project.id);
      return counts;
    }),
  ];
}

async function findOfKey(sql: Sql, projectId: number, queue: string, key: string): Promise<JobRow[]> {
  const hash = toHash(queue, key);
  const id = (await findByKeys(sql, projectId, [hash])).get(hash);
  const row = id === undefined ? null : await findJob(sql, projectId, id);
  return row === null ? [] : [row];
}

async function getJob(sql: Sql, projectId: number, id: number): Promise<JobRow> {
  const row = await findJob(sql, projectId, id);
  if (row !== null) return row;
  throw noSuchJob();
}

async function describe(sql: Sql, projectId: number, rows: readonly JobRow[], nowMs: number): Promise<Job[]> {
  if (rows.length === 0) return [];
  const [lanes, gates] = await Promise.all([listLanes(sql, projectId, {}), listGates(sql, projectId)]);
  const laneOf = new Map(lanes.map((lane) => [lane.id, lane]));
  const gateOf = new Map(gates.map((gate) => [gate.id, asItHolds(gate, nowMs)]));
  return rows.map((row) => {
    const lane = laneOf.get(row.laneId);
    return describeJob(row, lane, gateOf.get(lane?.gateId ?? 0) ?? null, nowMs);
  });
}

const MOST_GATE_CHANGES = 100;

async function lifeOf(sql: Sql, projectId: number, row: JobRow, job: Job, nowMs: number) {
  const events = await listEvents(sql, projectId, row.id);
  const lane = (await listLanes(sql, projectId, {})).find(({ id }) => id === row.laneId);
  const changes =
    lane === undefined || lane.gateId === 0
      ? []
      : await listGateChanges(sql, projectId, lane.gateId, {
          from: row.submittedAt,
          to: events[0]?.leasedAt ?? row.leasedAt ?? new Date(nowMs),
          limit: MOST_GATE_CHANGES,
        });
  return tellLife(row, job.submitter, events, changes);
}

function lookerRoutes({ queue }: QueueRouteDeps): BoundRoute[] {
  const { sql } = queue;
  return [
    bindRoute(contract.getQueues, async ({ project, query, nowMs }) =>
      queue.depths.get(project.id, project.timeZone, query.queue, nowMs),
    ),
    bindRoute(contract.getQueueSettings, async ({ project }) => getQueueSettings(sql, project.id)),
    bindRoute(contract.putQueueSettings, async ({ project, body, occasion }) =>
      sql.begin(async (tx) => {
        const before = await getQueueSettings(tx, project.id);
        await putQueueSettings(tx, project.id, body);
        const payloads = body.storesPayloads ? 0 : await deletePayloads(tx, project.id);
        const changed = diff(before, body);
        if (Object.keys(changed.after).length > 0)
          await noteChangeSql(tx, occasion, {
            action: "queue.changed",
            project,
            subject: { id: "queue", name: "queue" },
            before: changed.before,
            after: payloads === 0 ? changed.after : { ...changed.after, deletedPayloads: payloads },
          });
        return body;
      }),
    ),
  ];
}
