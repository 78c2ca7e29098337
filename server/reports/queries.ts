import type { ISql, Sql } from "../../db/connect.ts";
import type { TargetName } from "../advice/target-history.ts";
import { rollupRows } from "../capacity/queries.ts";
import { planReading } from "../capacity/segments.ts";
import type { PlanDocument } from "../contract/plan.ts";
import type { ReportDocument } from "../contract/report.ts";

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface ChainCount extends TargetName {
  /** Empty: of no chain. */
  readonly chain: string;
  readonly outcome: number;
  readonly attempts: number;
  readonly requests: number;
  readonly degraded: number;
  readonly retries: number;
}

/** Counts by chain, target and outcome. */
export async function listChainCounts(
  sql: Sql,
  projectId: number,
  range: Range,
  nowMs: number,
): Promise<ChainCount[]> {
  const { segments } = planReading(range, nowMs, "1d");
  return sql<ChainCount[]>`
    select s.chain, s.provider, s.model, s.endpoint, r.outcome, sum(r.attempt_count)::float8 as attempts,
           sum(r.final_count)::float8 as requests, sum(r.degraded_count)::float8 as degraded,
           sum(r.retry_count)::float8 as retries
      from series s
      join (${rollupRows(sql, "attempt", segments)}) r on r.project_id = s.project_id and r.series_id = s.id
     where s.project_id = ${projectId}
     group by 1, 2, 3, 4, 5`;
}

export interface PublishedPlanRow {
  readonly version: number;
  readonly publishedAt: Date;
  readonly by: string;
  readonly reason: string | null;
  readonly document: PlanDocument;
}

/** Plans that were published within [from, to), oldest first. */
export async function listPublishedWithin(
  sql: Sql,
  projectId: number,
  { fromMs, toMs }: Range,
): Promise<PublishedPlanRow[]> {
  return sql<PublishedPlanRow[]>`
    select version, published_at as "publishedAt", publisher ->> 'name' as by, reason, document from plan
     where project_id = ${projectId} and published_at >= ${new Date(fromMs)} and published_at < ${new Date(toMs)}
     order by version`;
}

export interface KeptReport {
  readonly week: string;
  readonly document: ReportDocument;
  readonly madeAt: Date;
  readonly sentAt: Date | null;
}

export async function findReport(sql: Sql, projectId: number, week: string): Promise<KeptReport | null> {
  const [row] = await sql<KeptReport[]>`
    select week, document, made_at as "madeAt", sent_at as "sentAt" from report
     where project_id = ${projectId} and week = ${week}`;
  return row ?? null;
}

export async function hasReport(sql: Sql, projectId: number, week: string): Promise<boolean> {
  const rows = await sql`select from report where project_id = ${projectId} and week = ${week}`;
  return rows.length > 0;
}

export interface KeptWeek {
  readonly week: string;
  readonly range: ReportDocument["range"];
  readonly sentAt: Date | null;
}

/** The weeks of which a report was kept, newest first. */
export async function listReports(sql: Sql, projectId: number, limit: number): Promise<KeptWeek[]> {
  return sql<KeptWeek[]>`
    select week, document -> 'range' as range, sent_at as "sentAt" from report
     where project_id = ${projectId} order by week desc limit ${limit}`;
}

/** @returns whether it was not there yet, and the project still is: whoever inserts it also has it sent */
export async function insertReport(
  tx: ISql,
  projectId: number,
  { week, document, madeAt, sentAt }: KeptReport,
): Promise<boolean> {
  const rows = await tx`
    insert into report (project_id, week, document, made_at, sent_at)
    select id, ${week}, ${tx.json(document as never)}::json, ${madeAt}::timestamptz, ${sentAt}::timestamptz
      from project where id = ${projectId} for key share
        on conflict do nothing returning 1`;
  return rows.length > 0;
}

export interface ReportingProject {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly timeZone: string;
}

export async function listReportingProjects(sql: Sql): Promise<ReportingProject[]> {
  return sql<ReportingProject[]>`
    select id, slug, name, time_zone as "timeZone" from project p
     where exists (select from series s where s.project_id = p.id) order by id`;
}
