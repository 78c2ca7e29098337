import { OUTCOME_TRAITS, OUTCOMES } from "@busyhour/sdk";
import type { Sql } from "../../db/connect.ts";
import type { TargetName } from "../advice/target-history.ts";
import { rollupRows } from "../capacity/queries.ts";
import type { Segment } from "../capacity/segments.ts";
import type { Quarter } from "../profile/day-hours.ts";

/** Attempts that got no answer by the provider's doing: no room, no time, an error of its servers. */
const UNANSWERED = codesOf((outcome) => OUTCOME_TRAITS[outcome].fault === "provider");
/** Attempts that say something of the provider: those of the capacity share. */
const COUNTED = codesOf((outcome) => OUTCOME_TRAITS[outcome].isCounted);

function codesOf(belongs: (outcome: (typeof OUTCOMES)[number]) => boolean): number[] {
  return OUTCOMES.flatMap((outcome, code) => (belongs(outcome) ? [code] : []));
}

export interface TargetSlots extends TargetName {
  /** Ascending; those without calls are left out. k of n got no answer. */
  readonly slots: readonly Quarter[];
}

/**
 * Attempts of each target of the project, and those that got no answer, by slots of so many seconds.
 *
 * @param models those of others are left out
 * @param segments of levels not coarser than a slot
 */
export async function listTargetSlots(
  sql: Sql,
  projectId: number,
  models: readonly string[],
  segments: readonly Segment[],
  slotSeconds: number,
): Promise<TargetSlots[]> {
  if (models.length === 0) return [];
  const rows = await sql<(TargetName & { starts: number[]; ks: number[]; ns: number[] })[]>`
    select provider, model, endpoint, array_agg(slot order by slot) as starts,
           array_agg(k order by slot) as ks, array_agg(n order by slot) as ns
      from (select s.provider, s.model, s.endpoint,
                   (extract(epoch from r.bucket_start)::bigint / ${slotSeconds})::int as slot,
                   coalesce(sum(r.attempt_count) filter (where r.outcome = any(${UNANSWERED}::smallint[])), 0)::int as k,
                   sum(r.attempt_count)::int as n
              from series s
              join (${rollupRows(sql, "attempt", segments)}) r on r.project_id = s.project_id and r.series_id = s.id
             where s.project_id = ${projectId} and s.model = any(${models as string[]}) and r.outcome = any(${COUNTED}::smallint[])
             group by 1, 2, 3, 4) as counted
     group by 1, 2, 3`;
  return rows.map(({ starts, ks, ns, provider, model, endpoint }) => ({
    provider,
    model,
    endpoint,
    slots: starts.map((slot, i) => ({ startMs: slot * slotSeconds * 1000, k: ks[i] ?? 0, n: ns[i] ?? 0 })),
  }));
}
