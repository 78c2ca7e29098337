import type { Sql } from "../../db/connect.ts";
import type { Models, Sources } from "../contract/listing.ts";
import { findBlindSpots } from "../sources/blind-spots.ts";
import { listSourceWays, type SourceWayRow } from "../sources/queries.ts";
import { toCell } from "./cell.ts";
import { byOutcome } from "./points.ts";
import { listTargetCounts, rollupRows, type SeriesFilter, whereSeries } from "./queries.ts";
import { planReading, type Segment } from "./segments.ts";
import { countShare } from "./share.ts";

export interface ListingQuestion {
  readonly projectId: number;
  readonly filter: SeriesFilter;
  readonly range: { readonly fromMs: number; readonly toMs: number };
}

/** Every target that was ever called, most attempts first; those without calls in the range have counts of 0. */
export async function getModels(sql: Sql, question: ListingQuestion, nowMs: number): Promise<Models> {
  const plan = planReading(question.range, nowMs, "1d");
  const [seen, counts] = await Promise.all([
    listSeenTargets(sql, question),
    listTargetCounts(sql, { ...question, segments: plan.segments }),
  ]);
  const models = seen.map((target) => {
    const mine = counts.filter(
      (row) =>
        row.provider === target.provider && row.model === target.model && row.endpoint === target.endpoint,
    );
    const sum = (value: (row: (typeof mine)[number]) => number) =>
      mine.reduce((total, row) => total + value(row), 0);
    const { k, n } = countShare(
      byOutcome(mine, (row) => row.attempts),
      "capacity",
    );
    return {
      provider: target.provider,
      model: target.model,
      endpoint: target.endpoint,
      attempts: sum((row) => row.attempts),
      requests: sum((row) => row.requests),
      capacity: toCell(k, n),
      firstSeen: target.firstSeen?.toISOString() ?? null,
      lastSeen: target.lastSeen?.toISOString() ?? null,
    };
  });
  models.sort((a, b) => b.attempts - a.attempts || a.model.localeCompare(b.model));
  return { range: toIso(plan), models };
}

function toIso({ fromMs, toMs }: { fromMs: number; toMs: number }) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

export interface SeenTarget {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
  readonly firstSeen: Date | null;
  readonly lastSeen: Date | null;
}

/** First and last quarter-hour of each target, by two short index reads per series. */
export async function listSeenTargets(
  sql: Sql,
  { projectId, filter }: Pick<ListingQuestion, "projectId" | "filter">,
): Promise<SeenTarget[]> {
  return sql<SeenTarget[]>`
    select s.provider, s.model, s.endpoint, min(f.bucket_start) as "firstSeen", max(l.bucket_start) as "lastSeen"
      from series s
      left join lateral (
           select bucket_start from attempt_rollup_15m r
            where r.project_id = s.project_id and r.series_id = s.id order by bucket_start limit 1) f on true
      left join lateral (
           select bucket_start from attempt_rollup_15m r
            where r.project_id = s.project_id and r.series_id = s.id order by bucket_start desc limit 1) l on true
     where ${whereSeries(sql, projectId, filter)}
     group by 1, 2, 3`;
}

interface SourceCount {
  readonly source: string;
  readonly outcome: number;
  readonly attempts: number;
}

async function listSourceCounts(
  sql: Sql,
  { projectId, filter }: ListingQuestion,
  segments: readonly Segment[],
): Promise<SourceCount[]> {
  return sql<SourceCount[]>`
    select s.source, r.outcome, sum(r.attempt_count)::float8 as attempts
      from series s
      join (${rollupRows(sql, "attempt", segments)}) r on r.project_id = s.project_id and r.series_id = s.id
     where ${whereSeries(sql, projectId, filter)}
     group by 1, 2`;
}

interface SourceStateRow {
  readonly source: string;
  readonly lastEventAt: Date | null;
  readonly lastReceivedAt: Date;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly clockOffsetMs: number | null;
  readonly lastRejectedAt: Date | null;
  readonly pointer: string | null;
  readonly detail: string | null;
}

async function listSourceStates(sql: Sql, projectId: number): Promise<SourceStateRow[]> {
  return sql<SourceStateRow[]>`
    select source, last_event_at as "lastEventAt", last_received_at as "lastReceivedAt",
           accepted_count::float8 as accepted, duplicate_count::float8 as duplicates,
           rejected_count::float8 as rejected, clock_offset_ms::float8 as "clockOffsetMs",
           last_rejected_at as "lastRejectedAt", last_rejection_pointer as pointer, last_rejection_detail as detail
      from source_state where project_id = ${projectId}`;
}

interface DropRow {
  readonly source: string;
  readonly dropped: number;
  readonly lastDroppedAt: Date;
}

async function listDrops(sql: Sql, projectId: number): Promise<DropRow[]> {
  return sql<DropRow[]>`
    select source, sum(dropped_count)::float8 as dropped, max(last_dropped_at) as "lastDroppedAt"
      from reporter_drop where project_id = ${projectId}
     group by 1`;
}

/** Who sends: figures of the range, and what ingest noticed of each source. */
export async function getSources(sql: Sql, question: ListingQuestion, nowMs: number): Promise<Sources> {
  const plan = planReading(question.range, nowMs, "1d");
  const [counts, states, drops, ways] = await Promise.all([
    listSourceCounts(sql, question, plan.segments),
    listSourceStates(sql, question.projectId),
    listDrops(sql, question.projectId),
    listSourceWays(sql, question.projectId),
  ]);
  const names = [...new Set([...counts, ...states, ...drops].map(({ source }) => source))].sort();
  return {
    range: toIso(plan),
    sources: names.map((source) =>
      toSourceRecord(
        source,
        counts.filter((row) => row.source === source),
        states.find((row) => row.source === source),
        drops.find((row) => row.source === source),
        ways.filter((row) => row.source === source),
      ),
    ),
  };
}

function toSourceRecord(
  source: string,
  counts: readonly SourceCount[],
  state: SourceStateRow | undefined,
  drops: DropRow | undefined,
  ways: readonly SourceWayRow[],
): Sources["sources"][number] {
  const outcomes = byOutcome(counts, (row) => row.attempts);
  const attempts = counts.reduce((total, row) => total + row.attempts, 0);
  const capacity = countShare(outcomes, "capacity");
  return {
    source,
    attempts,
    capacity: toCell(capacity.k, capacity.n),
    failures: toCell(attempts - (outcomes.ok ?? 0), attempts),
    lastEventAt: state?.lastEventAt?.toISOString() ?? null,
    lastReceivedAt: state?.lastReceivedAt.toISOString() ?? null,
    accepted: state?.accepted ?? 0,
    duplicates: state?.duplicates ?? 0,
    rejected: state?.rejected ?? 0,
    dropped: drops?.dropped ?? 0,
    lastDroppedAt: drops?.lastDroppedAt.toISOString() ?? null,
    clockOffsetMs: state?.clockOffsetMs ?? null,
    lastRejection:
      state?.lastRejectedAt == null
        ? null
        : {
            at: state.lastRejectedAt.toISOString(),
            pointer: state.pointer ?? "",
            detail: state.detail ?? "",
          },
    ways: ways.map(({ via, instrument, lastReceivedAt, calls, failures }) => ({
      via,
      instrument,
      lastReceivedAt: lastReceivedAt.toISOString(),
      calls,
      failures,
      blindSpots: findBlindSpots({ via, instrument }, { calls, failures }),
    })),
  };
}
