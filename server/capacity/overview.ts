import type { Outcome } from "@busyhour/sdk";
import type { Sql } from "../../db/connect.ts";
import type { Overview, TargetFigures } from "../contract/share.ts";
import { outcomeCode } from "../ingest/row.ts";
import { toCell } from "./cell.ts";
import { groupBy } from "./group-by.ts";
import { byOutcome, toQuantiles } from "./points.ts";
import {
  listTargetCounts,
  listTargetLatencies,
  type SeriesFilter,
  type TargetCount,
  type TargetLatency,
} from "./queries.ts";
import { planReading, type ReadPlan } from "./segments.ts";
import { describeOverview } from "./sentence.ts";
import { countShare } from "./share.ts";

const OK = outcomeCode("ok");

export interface OverviewQuestion {
  readonly projectId: number;
  readonly filter: SeriesFilter;
  readonly range: { readonly fromMs: number; readonly toMs: number };
}

/** Figures per target over a range, against the period of equal length before it. */
export async function getOverview(sql: Sql, question: OverviewQuestion, nowMs: number): Promise<Overview> {
  const plan = planReading(question.range, nowMs, "1d");
  const before = planReading({ fromMs: 2 * plan.fromMs - plan.toMs, toMs: plan.fromMs }, nowMs, "1d");
  const [now, then] = await Promise.all([
    readFigures(sql, question, plan),
    readFigures(sql, question, before),
  ]);
  const targets = [...now.figures].map(([key, figures]) => {
    const [provider = "", model = "", endpoint = ""] = key.split("\n");
    return { provider, model, endpoint, ...figures, before: then.figures.get(key) ?? null };
  });
  targets.sort((a, b) => b.attempts - a.attempts || a.model.localeCompare(b.model));
  return {
    range: toIso(plan),
    before: toIso(before),
    sentence: describeOverview(targets),
    total: now.total,
    totalBefore: then.total.attempts === 0 ? null : then.total,
    targets,
  };
}

function toIso({ fromMs, toMs }: { fromMs: number; toMs: number }) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

async function readFigures(sql: Sql, { projectId, filter }: OverviewQuestion, { segments }: ReadPlan) {
  const read = { projectId, filter, segments };
  const [counts, latencies] = await Promise.all([
    listTargetCounts(sql, read),
    listTargetLatencies(sql, read),
  ]);
  const latenciesOf = groupBy(latencies, targetKey);
  const figures = new Map(
    [...groupBy(counts, targetKey)].map(([key, rows]) => [key, toFigures(rows, latenciesOf.get(key) ?? [])]),
  );
  return { figures, total: toFigures(counts, latencies) };
}

function targetKey({ provider, model, endpoint }: { provider: string; model: string; endpoint: string }) {
  return `${provider}\n${model}\n${endpoint}`;
}

function toFigures(counts: readonly TargetCount[], latencies: readonly TargetLatency[]): TargetFigures {
  const sum = (value: (row: TargetCount) => number) => counts.reduce((total, row) => total + value(row), 0);
  const outcomes = byOutcome(counts, (row) => row.attempts);
  const requestOutcomes = byOutcome(counts, (row) => row.requests);
  const share = (of: Partial<Record<Outcome, number>>, outcome: Outcome) => {
    const { k, n } = countShare(of, outcome);
    return toCell(k, n);
  };
  return {
    attempts: sum((row) => row.attempts),
    requests: sum((row) => row.requests),
    degraded: sum((row) => (row.outcome === OK ? row.degraded : 0)),
    retries: sum((row) => row.retries),
    outcomes,
    requestOutcomes,
    capacity: share(outcomes, "capacity"),
    requestCapacity: share(requestOutcomes, "capacity"),
    success: share(outcomes, "ok"),
    latencyMs: toQuantiles(latencies.filter(({ measure }) => measure === 0)),
    firstTokenMs: toQuantiles(latencies.filter(({ measure }) => measure === 1)),
  };
}
