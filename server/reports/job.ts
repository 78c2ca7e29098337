import type { ISql, Sql } from "../../db/connect.ts";
import type { Locale } from "../contract/diagnosis.ts";
import type { TextNotice } from "../contract/notice.ts";
import type { ReportDocument } from "../contract/report.ts";
import { HOUR_MS } from "../rollup/levels.ts";
import { makeReport } from "./make-report.ts";
import { hasReport, insertReport, listReportingProjects, type ReportingProject } from "./queries.ts";
import { type Week, weekAt, weekBefore } from "./week.ts";
import { sayReport } from "./words/words.ts";

/** Monday at eight in the project's zone: late events of the night are in by then, and people are not yet. */
const SENT_AFTER_MS = 8 * HOUR_MS;

/** Has channels told, in the transaction that makes it true. */
export type EnqueueReport = (
  tx: ISql,
  message: { projectId: number; notice: TextNotice; channels: null; nowMs: number },
) => Promise<void>;

/**
 * Makes and sends the report of each project's last week, once. Running it again, or on two servers, sends nothing
 * twice: whoever inserts the row writes the notice in the same transaction.
 *
 * @returns how many reports were sent
 */
export async function runReports(sql: Sql, enqueue: EnqueueReport, nowMs: number): Promise<number> {
  let sent = 0;
  for (const project of await listReportingProjects(sql)) {
    const running = weekAt(project.timeZone, nowMs);
    if (nowMs < running.fromMs + SENT_AFTER_MS) continue;
    const week = weekBefore(project.timeZone, running);
    if (await hasReport(sql, project.id, week.name)) continue;
    if (await sendReport(sql, enqueue, project, week, nowMs)) sent++;
  }
  return sent;
}

async function sendReport(
  sql: Sql,
  enqueue: EnqueueReport,
  project: ReportingProject,
  week: Week,
  nowMs: number,
): Promise<boolean> {
  const document = await makeReport(sql, { projectId: project.id, zone: project.timeZone, week }, nowMs);
  // A week without a call says nothing; the row keeps it from being looked at again.
  const isWorthTelling = document.figures.attempts > 0;
  const madeAt = new Date(nowMs);
  return sql.begin(async (tx) => {
    const kept = { week: week.name, document, madeAt, sentAt: isWorthTelling ? madeAt : null };
    const isFirst = await insertReport(tx, project.id, kept);
    if (!isFirst || !isWorthTelling) return false;
    await enqueue(tx, {
      projectId: project.id,
      notice: toNotice(project, document, madeAt),
      channels: null,
      nowMs,
    });
    return true;
  });
}

function toNotice({ slug, name }: ReportingProject, document: ReportDocument, at: Date): TextNotice {
  return {
    kind: "text",
    event: "report",
    project: { slug, name },
    severity: "info",
    text: { en: toText(document, "en"), zh: toText(document, "zh") },
    data: document,
    at: at.toISOString(),
    view: `/alerts/reports?project=${encodeURIComponent(slug)}&week=${document.week}`,
  };
}

function toText(document: ReportDocument, locale: Locale): TextNotice["text"]["en"] {
  const { title, markdown } = sayReport(document, locale);
  return { title, markdown };
}
