import type { ISql, Sql } from "../../db/connect.ts";
import { noteChangeSql, type Occasion } from "../audit/note-change.ts";
import type { JobChoice } from "../contract/job-submission.ts";
import { askCancel, type ChangedRow, type Choice, lockLive, reviveDead } from "./change-queries.ts";
import { listLanes } from "./lane-queries.ts";
import { finishJobs, insertEvents, type NewEvent } from "./settle-queries.ts";

/** Of a queue or submitter so many at a time. */
const MOST_AT_ONCE = 10_000;

export interface ChangedProject {
  readonly id: number;
  readonly slug: string;
}

async function toChoice(tx: ISql, projectId: number, { ids, queue, submitter }: JobChoice): Promise<Choice> {
  const isNarrowed = queue !== undefined || submitter !== undefined;
  const lanes = isNarrowed ? await listLanes(tx, projectId, { queue, submitter }) : null;
  return { ids: ids === undefined ? null : [...new Set(ids)], laneIds: lanes?.map(({ id }) => id) ?? null };
}

const subjectOf = ({ ids, queue, submitter }: JobChoice) => {
  const name = [
    queue === undefined ? [] : [`queue ${queue}`],
    submitter === undefined ? [] : [`submitter ${submitter}`],
    ids === undefined ? [] : [ids.length === 1 ? `job ${ids[0]}` : `${ids.length} jobs`],
  ].flat();
  return { id: ids?.length === 1 ? (ids[0] as number) : "jobs", name: name.join(", ") };
};

/** Cancels what waits; of what is being done it is noted, and its worker told. One entry of the audit log for all. */
export async function cancelJobs(
  sql: Sql,
  project: ChangedProject,
  choice: JobChoice,
  occasion: Occasion,
): Promise<{ cancelled: number[]; asked: number; untouched: number; isMore: boolean }> {
  const nowMs = occasion.at.getTime();
  return sql.begin(async (tx) => {
    const wanted = await toChoice(tx, project.id, choice);
    const rows = await lockLive(tx, project.id, wanted, MOST_AT_ONCE);
    const waiting = rows.filter(({ isLeased }) => !isLeased);
    const leased = rows.filter(({ isLeased }) => isLeased);
    const asked = leased.filter(({ isAsked }) => !isAsked);
    if (waiting.length > 0) await finishJobs(tx, project.id, waiting.map(toCancelled), nowMs);
    if (asked.length > 0) {
      const ids = asked.map(({ id }) => id);
      await askCancel(tx, project.id, ids, nowMs);
    }
    const events = [...waiting, ...asked].map(
      (row): NewEvent => ({
        jobId: row.id,
        laneId: row.laneId,
        number: row.eventCount + 1,
        kind: row.isLeased ? "cancelAsked" : "cancelled",
        worker: null,
        leasedAt: null,
        untilAt: null,
        detail: occasion.actor.name,
      }),
    );
    if (events.length > 0) await insertEvents(tx, project.id, events, nowMs);
    if (events.length > 0)
      await noteChangeSql(tx, occasion, {
        action: "jobs.cancelled",
        project,
        subject: subjectOf(choice),
        after: { cancelled: waiting.length, asked: leased.length },
      });
    return {
      cancelled: waiting.map(({ id }) => id),
      asked: leased.length,
      untouched: wanted.ids === null ? 0 : wanted.ids.length - rows.length,
      isMore: rows.length === MOST_AT_ONCE,
    };
  });
}

const toCancelled = (row: ChangedRow) => ({
  id: row.id,
  state: "cancelled" as const,
  result: null,
  error: null,
  endedToken: null,
  failureCount: row.failureCount,
  busyCount: row.busyCount,
  eventCount: row.eventCount + 1,
});

/** Queues dead jobs again. One entry of the audit log for all. */
export async function retryJobs(
  sql: Sql,
  project: ChangedProject,
  choice: JobChoice,
  occasion: Occasion,
): Promise<{ retried: number; untouched: number; isMore: boolean }> {
  const nowMs = occasion.at.getTime();
  return sql.begin(async (tx) => {
    const wanted = await toChoice(tx, project.id, choice);
    const rows = await reviveDead(tx, project.id, wanted, MOST_AT_ONCE, nowMs);
    if (rows.length > 0) {
      const events = rows.map(({ id, laneId, eventCount }) => ({
        jobId: id,
        laneId,
        number: eventCount,
        kind: "retried",
        worker: null,
        leasedAt: null,
        untilAt: null,
        detail: occasion.actor.name,
      }));
      await insertEvents(tx, project.id, events, nowMs);
      await noteChangeSql(tx, occasion, {
        action: "jobs.retried",
        project,
        subject: subjectOf(choice),
        after: { retried: rows.length },
      });
    }
    return {
      retried: rows.length,
      untouched: wanted.ids === null ? 0 : wanted.ids.length - rows.length,
      isMore: rows.length === MOST_AT_ONCE,
    };
  });
}
