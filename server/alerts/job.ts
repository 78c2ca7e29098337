import type { ISql, Sql } from "../../db/connect.ts";
import type { Notice } from "../contract/notice.ts";
import { floorTo, HOUR_MS, MINUTE_MS } from "../rollup/levels.ts";
import { lockFiringAlerts, saveAlerts } from "./alert-queries.ts";
import { SLOT_CLOSES_AFTER_MS, SLOT_MS } from "./detect/types.ts";
import type { Explain } from "./explain.ts";
import type { FiringAlert } from "./firing-alert.ts";
import { judgeRule } from "./judge-rule.ts";
import { listMutings } from "./mute.ts";
import { bringUpToDate, type ProjectMemory, saveMemory } from "./project-memory.ts";
import { settleAlerts } from "./settle-alerts.ts";
import { findOldestTouchedMs, listCalledModels, listSeriesSlots } from "./slot-queries.ts";
import { createSlotTable } from "./slot-table.ts";
import {
  type JudgedProject,
  listActiveSilences,
  listEnabledWindows,
  listJudgedProjects,
  lockRules,
  lockRun,
} from "./state-queries.ts";
import { type CountedFinding, takeFindings } from "./take-findings.ts";
import type { Telling } from "./tell.ts";
import { toNotice } from "./to-notice.ts";
import { usualAt } from "./usual-at.ts";

/** Puts a notice into the outbox, in the transaction that makes it true. */
export type EnqueueNotice = (
  tx: ISql,
  told: {
    readonly projectId: number;
    readonly notice: Notice;
    readonly channels: readonly number[] | null;
    readonly nowMs: number;
  },
) => Promise<void>;

export interface AlertJobDeps {
  readonly sql: Sql;
  readonly enqueueNotice: EnqueueNotice;
  readonly explain: Explain;
}

export interface AlertJob {
  /** Every half minute. @returns how many notices went into the outbox */
  readonly run: (nowMs: number) => Promise<number>;
}

/** A slot whose minutes are not rolled up yet is waited for, but not longer than this after its end. */
const BACKLOG_MS = 10 * MINUTE_MS;
/** Models that were not called for so long say nothing of their provider. */
const CALLED_MS = HOUR_MS;
/** More explanations at once would keep alerts waiting. */
const MOST_EXPLAINED = 5;
/** A jump is told within a minute or two, from a handful of calls: whoever looks later finds its cause. */
const SECOND_LOOK_MS = 10 * MINUTE_MS;

/**
 * Judges all rules of all projects, each project in a transaction of its own: what rules remember, alerts and notices
 * come together or not at all. A run over again changes nothing; of two servers the second finds the work done.
 */
export function createAlertJob(deps: AlertJobDeps): AlertJob {
  const { sql } = deps;
  // What was stored last, so that it need not be read at each run; checked by its revision.
  const memories = new Map<number, ProjectMemory>();
  return {
    async run(nowMs) {
      let told = 0;
      for (const project of await listJudgedProjects(sql)) {
        const known = memories.get(project.id);
        memories.delete(project.id);
        const done = await sql.begin((tx) => judgeProject(tx, project, { ...deps, known, nowMs }));
        if (done === null) continue;
        memories.set(project.id, done.memory);
        told += done.told;
      }
      return told;
    },
  };
}

interface ProjectOccasion extends AlertJobDeps {
  readonly known: ProjectMemory | undefined;
  readonly nowMs: number;
}

/** @returns `null`: another server is at it */
async function judgeProject(
  tx: ISql,
  project: JudgedProject,
  { known, nowMs, explain, enqueueNotice }: ProjectOccasion,
): Promise<{ memory: ProjectMemory; told: number } | null> {
  await tx`set local jit = off`;
  const closedToMs = await findClosedTo(tx, project.id, nowMs);
  const run = await lockRun(tx, project.id, closedToMs);
  if (run === null) return null;
  // A clock that was set back closes nothing anew.
  const toMs = Math.max(run.closedToMs, closedToMs);
  const rules = (await lockRules(tx, project.id))
    .filter(({ rule }) => rule.isEnabled)
    .map(({ id, rule }) => ({ ...rule, id }));
  const memory = await bringUpToDate(tx, { project, run, rules, known, nowMs });
  const series = await listSeriesSlots(tx, project.id, memory.closedToMs, floorTo(nowMs, SLOT_MS) + SLOT_MS);
  const table = createSlotTable(series, toMs);
  const usualOf = usualAt(memory.usual, project.timeZone);
  const findings: CountedFinding[] = [];
  for (const rule of rules) {
    const own = memory.rules.get(rule.id);
    if (own === undefined) continue;
    const judged = judgeRule(rule, own, { table, nowMs, usualOf });
    if (judged.isChanged) memory.changed.add(rule.id);
    findings.push(...judged.findings.map((finding) => ({ ...finding, counting: own.counting })));
  }
  const told = await changeAlerts(tx, project, findings, { nowMs, explain, enqueueNotice });
  await saveMemory(tx, project.id, memory, { rules, findings, closedToMs: toMs });
  return { memory, told };
}

/** Slots before it have ended two minutes ago, and what was stored of them is counted. */
async function findClosedTo(tx: ISql, projectId: number, nowMs: number): Promise<number> {
  const closedToMs = floorTo(nowMs - SLOT_CLOSES_AFTER_MS, SLOT_MS);
  const oldest = await findOldestTouchedMs(tx, projectId, new Date(closedToMs - BACKLOG_MS));
  return oldest === null ? closedToMs : Math.min(closedToMs, floorTo(oldest, SLOT_MS));
}

/** Brings alerts up to what was found, and tells channels. @returns how many notices there were */
async function changeAlerts(
  tx: ISql,
  project: JudgedProject,
  findings: readonly CountedFinding[],
  { nowMs, explain, enqueueNotice }: Omit<ProjectOccasion, "sql" | "known">,
): Promise<number> {
  const alerts = await lockFiringAlerts(tx, project.id);
  takeFindings(alerts, findings, nowMs);
  if (alerts.length === 0) return 0;
  const [silences, windows] = await Promise.all([
    listActiveSilences(tx, project.id, new Date(nowMs)),
    listEnabledWindows(tx, project.id),
  ]);
  const hasNews = alerts.some(({ toldMs, foldedUnder }) => toldMs === null && foldedUnder === null);
  const called = hasNews ? await listCalledModels(tx, project.id, new Date(nowMs - CALLED_MS)) : [];
  const tellings = settleAlerts(alerts, listMutings(silences, windows, nowMs), called, nowMs);
  await explainAlerts(project, alerts, tellings, { explain, nowMs });
  await saveAlerts(tx, project.id, alerts);
  for (const { alert, event } of tellings) {
    const notice = toNotice(project, alert, alerts, event, nowMs);
    await enqueueNotice(tx, { projectId: project.id, notice, channels: alert.channels, nowMs });
  }
  return tellings.length;
}

/** Alerts that are news, and those that could not be explained when they were, once there is more to go by. */
async function explainAlerts(
  project: JudgedProject,
  alerts: readonly FiringAlert[],
  tellings: readonly Telling[],
  { explain, nowMs }: Pick<ProjectOccasion, "explain" | "nowMs">,
): Promise<void> {
  const news = tellings
    .filter(({ alert, event }) => event === "firing" || (event === "reminder" && alert.isWidened))
    .map(({ alert }) => alert);
  const unexplained = alerts.filter(
    ({ explanation, toldMs, firedMs, endedMs }) =>
      explanation.cause === null &&
      toldMs !== null &&
      endedMs === null &&
      nowMs - firedMs >= SECOND_LOOK_MS &&
      nowMs - firedMs < SECOND_LOOK_MS + MINUTE_MS,
  );
  await Promise.all(
    [...new Set([...news, ...unexplained])].slice(0, MOST_EXPLAINED).map(async (alert) => {
      const { subject, of, outcomes, sinceMs } = alert;
      alert.explanation = await explain({ project, subject, of, outcomes, sinceMs, nowMs });
    }),
  );
}
