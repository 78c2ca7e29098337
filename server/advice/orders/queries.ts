import { OUTCOME_TRAITS, OUTCOMES } from "@busyhour/sdk";
import type { Sql } from "../../../db/connect.ts";
import { type Fragment, rollupRows } from "../../capacity/queries.ts";
import type { Segment } from "../../capacity/segments.ts";
import type { PlanDocument } from "../../contract/plan.ts";
import { DAY_MS } from "../../rollup/levels.ts";
import type { TargetName } from "../target-history.ts";

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface ReportedLink extends TargetName {
  readonly chain: string;
}

/** The plan that was in force at an instant; `null` before the first one. */
export async function findPlanAt(sql: Sql, projectId: number, atMs: number): Promise<PlanDocument | null> {
  const [row] = await sql<{ document: PlanDocument }[]>`
    select document from plan
     where project_id = ${projectId} and published_at is not null and published_at <= ${new Date(atMs)}
     order by version desc limit 1`;
  return row?.document ?? null;
}

/** Raw attempts are read for it: more days would take too long. */
const CHAIN_DAYS = 7;

/** The chains that routers reported in the days before `toMs`, each target by its usual position. */
export async function listReportedChains(
  sql: Sql,
  projectId: number,
  chain: string | undefined,
  toMs: number,
): Promise<ReportedLink[]> {
  return sql<ReportedLink[]>`
    select s.chain, s.provider, s.model, s.endpoint
      from series s join attempt a on a.project_id = s.project_id and a.series_id = s.id
     where s.project_id = ${projectId} and s.chain <> '' and ${chain === undefined ? sql`true` : sql`s.chain = ${chain}`}
       and a.occurred_at >= ${new Date(toMs - CHAIN_DAYS * DAY_MS)} and a.occurred_at < ${new Date(toMs)}
       and a.position is not null
     group by 1, 2, 3, 4
     order by s.chain, avg(a.position), count(*) desc, s.model`;
}

export interface LinkTimes extends TargetName {
  /** Attempts that found room, and of these the ones that failed in a way that another target may not. */
  readonly roomy: number;
  readonly failed: number;
  readonly answerMs: number | null;
  readonly failureMs: number | null;
}

const codesOf = (isIn: (at: (typeof OUTCOMES)[number]) => boolean) =>
  OUTCOMES.flatMap((outcome, code) => (isIn(outcome) ? [code] : [])) as number[];
const OK = OUTCOMES.indexOf("ok");
const CAPACITY = OUTCOMES.indexOf("capacity");
/** What the capacity share counts, but for its own numerator. */
const ROOMY = codesOf((outcome) => OUTCOME_TRAITS[outcome].isCounted && outcome !== "capacity");
const FAILED = ROOMY.filter((code) => code !== OK);

/** How attempts at these models end apart from capacity, and how long they take on average. */
export async function listLinkTimes(
  sql: Sql,
  projectId: number,
  models: readonly string[],
  segments: readonly Segment[],
): Promise<LinkTimes[]> {
  const countOf = (codes: readonly number[]): Fragment =>
    sql`coalesce(sum(r.attempt_count) filter (where r.outcome = any(${codes as number[]}::smallint[])), 0)::float8`;
  const meanOf = (codes: readonly number[]): Fragment => {
    const among = sql`filter (where r.outcome = any(${codes as number[]}::smallint[]))`;
    return sql`(sum(r.latency_ms_sum) ${among})::float8 / nullif(sum(r.attempt_count) ${among}, 0)::float8`;
  };
  return sql<LinkTimes[]>`
    select s.provider, s.model, s.endpoint, ${countOf(ROOMY)} as roomy, ${countOf(FAILED)} as failed,
           ${meanOf([OK])} as "answerMs", ${meanOf([...FAILED, CAPACITY])} as "failureMs"
      from series s
      join (${rollupRows(sql, "attempt", segments)}) r on r.project_id = s.project_id and r.series_id = s.id
     where s.project_id = ${projectId} and s.model in ${sql([...models])}
     group by 1, 2, 3`;
}

export interface RequestHour extends TargetName {
  readonly hourOfWeek: number;
  readonly n: number;
}

/** Requests that ended at each target of the models, by hour of week (0 = Monday 00:00 on the zone's wall). */
export async function listRequestHours(
  sql: Sql,
  projectId: number,
  models: readonly string[],
  zone: string,
  { fromMs, toMs }: Range,
): Promise<RequestHour[]> {
  return sql<RequestHour[]>`
    select provider, model, endpoint,
           ((extract(epoch from bucket_start at time zone ${zone})::bigint / 3600 + 72) % 168)::int as "hourOfWeek",
           sum(n)::float8 as n
      from (select s.provider, s.model, s.endpoint, r.bucket_start, sum(r.counted_requests) as n
              from series s
              join capacity_rollup_15m r on r.project_id = s.project_id and r.series_id = s.id
             where s.project_id = ${projectId} and s.model in ${sql([...models])}
               and r.bucket_start >= ${new Date(fromMs)} and r.bucket_start < ${new Date(toMs)}
             group by 1, 2, 3, 4) as quarters
     group by 1, 2, 3, 4`;
}
