import type { Sql } from "../../db/connect.ts";
import type { Locale } from "../contract/diagnosis.ts";
import type { ReportAnswer, ReportDocument, Reports } from "../contract/report.ts";
import { makeReport } from "./make-report.ts";
import { findReport, listReports } from "./queries.ts";
import { type Week, weekAt, weekBefore } from "./week.ts";
import { sayReport } from "./words/words.ts";

const MOST_WEEKS = 52;

interface Owner {
  readonly id: number;
  readonly timeZone: string;
}

/** The report of a week in words and figures: as it was kept, else made now. */
export async function getReport(
  sql: Sql,
  project: Owner,
  { week, locale, nowMs }: { week: Week; locale: Locale; nowMs: number },
): Promise<ReportAnswer> {
  const kept = await findReport(sql, project.id, week.name);
  const question = { projectId: project.id, zone: project.timeZone, week };
  const report: ReportDocument = kept?.document ?? (await makeReport(sql, question, nowMs));
  return { report, isOver: week.toMs <= nowMs, ...sayReport(report, locale) };
}

/** The running week, the one before, and those that were kept, newest first. */
export async function listWeeks(sql: Sql, project: Owner, nowMs: number): Promise<Reports> {
  const { timeZone: zone } = project;
  const kept = await listReports(sql, project.id, MOST_WEEKS);
  const running = weekAt(zone, nowMs);
  const last = weekBefore(zone, running);
  const weeks = new Map([running, last].map((week) => [week.name, toRange(week)]));
  for (const { week, range } of kept) weeks.set(week, range);
  return {
    weeks: [...weeks]
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([week, range]) => ({
        week,
        range,
        isOver: Date.parse(range.to) <= nowMs,
        sentAt: kept.find((one) => one.week === week)?.sentAt?.toISOString() ?? null,
      })),
  };
}

function toRange({ fromMs, toMs }: Week) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
