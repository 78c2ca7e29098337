import type { ISql, Sql } from "../../db/connect.ts";
import { type Fragment, whereSeries } from "../capacity/queries.ts";
import type { RuleGroup, RuleMatcher } from "../contract/alert-rule.ts";
import type { Counting, Summand } from "./counting.ts";
import { SLOT_MS, type Slot } from "./detect/types.ts";
import { GROUP_PARTS, type Subject, type SubjectPart } from "./subject.ts";

/** Counts of a series by slot and outcome, as arrays of equal length, slots ascending. */
export interface SeriesSlots extends Required<{ [part in SubjectPart]: string }> {
  readonly id: number;
  /** Start, in slots since the epoch. */
  readonly slots: readonly number[];
  readonly outcomes: readonly number[];
  readonly attempts: readonly number[];
  readonly requests: readonly number[];
  readonly degraded: readonly number[];
  readonly retries: readonly number[];
}

const toSlot = (sql: ISql) => sql`floor(extract(epoch from r.bucket_start) / ${SLOT_MS / 1_000}::int)::int`;

/** What every series of the project did in [fromMs, toMs), both on the grid of slots. */
export async function listSeriesSlots(
  sql: ISql,
  projectId: number,
  fromMs: number,
  toMs: number,
): Promise<SeriesSlots[]> {
  return sql<SeriesSlots[]>`
    select id, provider, model, endpoint, source, chain, array_agg(slot order by slot) as slots,
           array_agg(outcome order by slot) as outcomes, array_agg(attempts order by slot) as attempts,
           array_agg(requests order by slot) as requests, array_agg(degraded order by slot) as degraded,
           array_agg(retries order by slot) as retries
      from (select s.id, s.provider, s.model, s.endpoint, s.source, s.chain, ${toSlot(sql)} as slot,
                   r.outcome::int as outcome, sum(r.attempt_count)::int as attempts,
                   sum(r.final_count)::int as requests, sum(r.degraded_count)::int as degraded,
                   sum(r.retry_count)::int as retries
              from series s
              join attempt_rollup_1m r on r.project_id = s.project_id and r.series_id = s.id
             where s.project_id = ${projectId}
               and r.bucket_start >= ${new Date(fromMs)} and r.bucket_start < ${new Date(toMs)}
             group by 1, 2, 3, 4, 5, 6, 7, 8) as counted
     group by 1, 2, 3, 4, 5, 6`;
}

export interface GroupSlots {
  readonly subject: Subject;
  /** Ascending; those without calls are left out. */
  readonly slots: readonly Slot[];
}

export interface GroupSlotsQuestion {
  readonly projectId: number;
  readonly counting: Counting;
  readonly where: RuleMatcher;
  readonly groupBy: RuleGroup;
  readonly fromMs: number;
  readonly toMs: number;
}

const COLUMNS: Readonly<Record<Exclude<Summand, "firsts">, string>> = {
  attempts: "r.attempt_count",
  requests: "r.final_count",
  degraded: "r.degraded_count",
};

const LEVELS = { "1m": SLOT_MS, "15m": 900_000 } as const;

/** k and n of each of a rule's groups in [fromMs, toMs), by slots of five minutes, or by quarter-hours. */
export async function listGroupSlots(
  sql: Sql | ISql,
  { projectId, counting, where, groupBy, fromMs, toMs }: GroupSlotsQuestion,
  level: keyof typeof LEVELS = "1m",
): Promise<GroupSlots[]> {
  const parts = GROUP_PARTS[groupBy];
  const stepMs = LEVELS[level];
  const names = parts.map((part) => `, s.${part}`).join("");
  const keys = parts.map((part) => `, ${part}`).join("");
  const ofChains = groupBy === "chain" ? sql`and s.chain <> ''` : sql``;
  const rows = await sql<(Subject & { starts: number[]; ks: number[]; ns: number[] })[]>`
    select array_agg(slot order by slot) as starts, array_agg(k order by slot) as ks,
           array_agg(n order by slot) as ns${sql.unsafe(keys)}
      from (select floor(extract(epoch from r.bucket_start) / ${stepMs / 1_000}::int)::int as slot,
                   coalesce(${sumWhere(sql, counting.k)}, 0)::int as k,
                   coalesce(${sumWhere(sql, counting.n)}, 0)::int as n${sql.unsafe(names)}
              from series s
              join ${sql(`attempt_rollup_${level}`)} r on r.project_id = s.project_id and r.series_id = s.id
             where ${whereSeries(sql as Sql, projectId, where)} ${ofChains}
               and r.bucket_start >= ${new Date(fromMs)} and r.bucket_start < ${new Date(toMs)}
               and r.outcome = any(${codesOf(counting)}::smallint[])
             group by 1${sql.unsafe(names)}) as counted
     where n > 0 or k > 0
     ${parts.length === 0 ? sql`having count(*) > 0` : sql`group by ${sql.unsafe(parts.join(", "))}`}`;
  return rows.map(({ starts, ks, ns, ...name }) => ({
    subject: { ...where, ...name },
    slots: starts.map((slot, i) => ({ startMs: slot * stepMs, k: ks[i] ?? 0, n: ns[i] ?? 0 })),
  }));
}

function sumWhere(
  sql: ISql,
  { sum, codes }: { readonly sum: Summand; readonly codes: readonly number[] },
): Fragment {
  const value = sum === "firsts" ? sql`r.attempt_count - r.retry_count` : sql`${sql.unsafe(COLUMNS[sum])}`;
  return sql`sum(${value}) filter (where r.outcome = any(${codes as number[]}::smallint[]))`;
}

function codesOf({ k, n }: Counting): number[] {
  return [...new Set([...k.codes, ...n.codes])];
}

/**
 * The oldest minute since `from` whose rollup is behind what was stored; `null`: none.
 *
 * Its slot is not to be closed yet, or what is counted already waits in vain.
 */
export async function findOldestTouchedMs(sql: ISql, projectId: number, from: Date): Promise<number | null> {
  const [row] = await sql<{ minute: Date | null }[]>`
    select min(minute) as minute from touched_bucket where project_id = ${projectId} and minute >= ${from}`;
  return row?.minute?.getTime() ?? null;
}

export interface CalledModel {
  readonly provider: string;
  readonly model: string;
}

export async function listCalledModels(sql: ISql, projectId: number, from: Date): Promise<CalledModel[]> {
  return sql<CalledModel[]>`
    select s.provider, s.model
      from series s
     where s.project_id = ${projectId}
       and exists (select from attempt_rollup_1m r
                    where r.project_id = s.project_id and r.series_id = s.id and r.bucket_start >= ${from})
     group by 1, 2`;
}
