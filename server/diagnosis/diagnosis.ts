import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import type { Sql } from "../../db/connect.ts";
import { getAdvice } from "../advice/advice.ts";
import { type TargetName, targetKey } from "../advice/target-history.ts";
import { toCell } from "../capacity/cell.ts";
import { listTargetHourShares } from "../capacity/now-queries.ts";
import { listTargetCounts, type SeriesFilter, type TargetCount } from "../capacity/queries.ts";
import { planReading } from "../capacity/segments.ts";
import { countShare } from "../capacity/share.ts";
import type { Diagnosis, ElsewhereStep, Locale } from "../contract/diagnosis.ts";
import { listEpisodes } from "../episodes/queries.ts";
import { summariseRecovery } from "../episodes/summarise.ts";
import type { TimeRange } from "../http/range.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../rollup/levels.ts";
import { findCause, listRemedies } from "./conclude.ts";
import type { Findings } from "./finding.ts";
import { judgeConcurrency } from "./judge-concurrency.ts";
import { judgeElsewhere, judgeScope, type NearHour, type TargetState } from "./judge-others.ts";
import { judgeAttempts, judgeKind, judgeTraffic } from "./judge-own.ts";
import { listLayers, listLevels } from "./queries.ts";
import { createTongue, wordsOf } from "./words/words.ts";

export interface DiagnosisQuestion {
  readonly projectId: number;
  readonly filter: Pick<SeriesFilter, "provider" | "model" | "endpoint">;
  readonly range: TimeRange;
  readonly episode: number | null;
  readonly zone: string;
  readonly locale: Locale;
}

const WEEK_MS = 7 * DAY_MS;
const WEEKS = 4;
/** Raw attempts are read of the last so many days of a range. */
const RAW_MS = 7 * DAY_MS;
const AROUND_MS = DAY_MS;
const LEAST_AROUND_MS = HOUR_MS;
const RECOVERY_MS = 28 * DAY_MS;
const WISH = { lengthHours: 3, allowed: () => true };

/** Why a model was short in a range, looked at in the order in which a person should. */
export async function getDiagnosis(sql: Sql, question: DiagnosisQuestion, nowMs: number): Promise<Diagnosis> {
  const { filter, range, zone, locale } = question;
  const [findings, recoveryMinutes] = await Promise.all([
    findOut(sql, question, nowMs),
    findRecovery(sql, question),
  ]);
  const cause = findCause(findings);
  const words = wordsOf(locale);
  const tongue = createTongue(locale, zone);
  const { kind, traffic, attempts, concurrency, scope, elsewhere } = findings;
  const { provider, model, endpoint } = filter;
  const name = [
    model ?? words.everyModel,
    ...[model ? "" : provider, endpoint].filter(Boolean).map((part) => `(${part})`),
  ].join(" ");
  return {
    zone,
    range: toIso(range),
    episode: question.episode,
    provider: provider ?? null,
    model: model ?? null,
    endpoint: endpoint ?? null,
    cause,
    sentence: words.sentence(
      name,
      tongue.cell(kind.capacity),
      tongue.share(kind.usual.rate),
      words.causes[cause],
    ),
    steps: [
      { ...kind, asks: words.asks.kind, says: words.kind(kind, tongue) },
      { ...traffic, asks: words.asks.traffic, says: words.traffic(traffic, tongue) },
      { ...attempts, asks: words.asks.attempts, says: words.attempts(attempts, tongue) },
      { ...concurrency, asks: words.asks.concurrency, says: words.concurrency(concurrency, tongue) },
      { ...scope, asks: words.asks.scope, says: words.scope(scope, tongue) },
      { ...elsewhere, asks: words.asks.elsewhere, says: words.elsewhere(elsewhere, tongue) },
    ],
    recoveryMinutes,
    remedies: listRemedies(findings, recoveryMinutes).map((remedy) => ({
      remedy,
      says: words.remedies[remedy]({ findings, recoveryMinutes }, tongue),
    })),
  };
}

async function findOut(sql: Sql, question: DiagnosisQuestion, nowMs: number): Promise<Findings> {
  const { projectId, filter, range } = question;
  const raw = { fromMs: Math.max(range.fromMs, range.toMs - RAW_MS), toMs: range.toMs };
  const dayBefore = { fromMs: raw.fromMs - DAY_MS, toMs: raw.fromMs };
  const wide = widen(range);
  const [now, around, weeks, layers, layersBefore, levels, hours, window] = await Promise.all([
    listCounts(sql, projectId, range, nowMs),
    wide === range ? null : listCounts(sql, projectId, wide, nowMs),
    listEarlierWeeks(sql, projectId, range, nowMs),
    listLayers(sql, projectId, filter, raw),
    listLayers(sql, projectId, filter, dayBefore),
    listLevels(sql, projectId, filter, raw),
    listNearHours(sql, question, nowMs),
    findWindow(sql, question),
  ]);
  const isAsked = (target: TargetName) =>
    (filter.model === undefined || target.model === filter.model) &&
    (filter.provider === undefined || target.provider === filter.provider) &&
    (filter.endpoint === undefined || target.endpoint === filter.endpoint);
  const before = weeks.flatMap(({ rows }) => rows);
  const own = now.rows.filter(isAsked);
  const usual = countOf(before.filter(isAsked));
  const others = (around ?? now).rows.filter((row) => !isAsked(row));
  const states = describeTargets([...own, ...others], before, isAsked);
  const kind = judgeKind(byOutcome(own), toCell(usual.k, usual.n));
  // Where minutes are gone, whole quarter-hours were counted: they are longer than the range.
  const called = weeks
    .map(({ rows, hours: counted }) => (firstAttempts(rows.filter(isAsked)) * now.hours) / counted)
    .filter((count) => count > 0);
  return {
    kind,
    traffic: judgeTraffic(firstAttempts(own), now.hours, called),
    attempts: judgeAttempts(layers, layersBefore),
    concurrency: judgeConcurrency(levels),
    scope: judgeScope(states),
    elsewhere: judgeElsewhere(kind.capacity, states, hours, range, window),
  };
}

/** In a short range others are hardly called: they are looked at for an hour around it. */
function widen(range: TimeRange): TimeRange {
  const missingMs = LEAST_AROUND_MS - (range.toMs - range.fromMs);
  if (missingMs <= 0) return range;
  return { fromMs: range.fromMs - missingMs / 2, toMs: range.toMs + missingMs / 2 };
}

interface Counted {
  readonly rows: readonly TargetCount[];
  /** So long was it that was counted. */
  readonly hours: number;
}

async function listCounts(sql: Sql, projectId: number, range: TimeRange, nowMs: number): Promise<Counted> {
  const { fromMs, toMs, segments } = planReading(range, nowMs);
  const rows = await listTargetCounts(sql, { projectId, filter: {}, segments });
  return { rows, hours: (toMs - fromMs) / HOUR_MS };
}

/** The same hours of the week in earlier weeks; a range of more than a week is held against whole ones before it. */
async function listEarlierWeeks(
  sql: Sql,
  projectId: number,
  range: TimeRange,
  nowMs: number,
): Promise<Counted[]> {
  const shiftMs = Math.ceil((range.toMs - range.fromMs) / WEEK_MS) * WEEK_MS;
  return Promise.all(
    Array.from({ length: WEEKS }, (_, i) =>
      listCounts(
        sql,
        projectId,
        { fromMs: range.fromMs - (i + 1) * shiftMs, toMs: range.toMs - (i + 1) * shiftMs },
        nowMs,
      ),
    ),
  );
}

/** Whole hours of the day before and the day after the range, of the targets asked for together. */
async function listNearHours(sql: Sql, question: DiagnosisQuestion, nowMs: number): Promise<NearHour[]> {
  const { projectId, filter, range } = question;
  const around = {
    fromMs: floorTo(range.fromMs - AROUND_MS, HOUR_MS),
    toMs: Math.min(floorTo(nowMs, HOUR_MS), range.toMs + AROUND_MS),
  };
  const { segments } = planReading(around, nowMs);
  const rows = await listTargetHourShares(
    sql,
    { projectId, filter, segments, count: "attempts", outcome: "capacity" },
    question.zone,
  );
  const sums = new Map<number, { k: number; n: number }>();
  for (const { startMs, k, n } of rows) {
    const sum = sums.get(startMs) ?? { k: 0, n: 0 };
    sums.set(startMs, { k: sum.k + k, n: sum.n + n });
  }
  return [...sums].map(([fromMs, { k, n }]) => ({ fromMs, toMs: fromMs + HOUR_MS, capacity: toCell(k, n) }));
}

/** The first advised window, by what was known when the range began. */
async function findWindow(
  sql: Sql,
  { projectId, filter, range, zone }: DiagnosisQuestion,
): Promise<ElsewhereStep["window"]> {
  if (filter.model === undefined) return null;
  const { targets } = await getAdvice(sql, { projectId, filter, zone, asOfMs: range.fromMs, wish: WISH });
  const window = targets.find(({ verdict }) => verdict === "advise")?.windows[0];
  if (window === undefined) return null;
  return { days: window.days, from: window.from, to: window.to, expected: window.expected };
}

async function findRecovery(
  sql: Sql,
  { projectId, filter, range }: DiagnosisQuestion,
): Promise<number | null> {
  const past = { fromMs: range.toMs - RECOVERY_MS, toMs: range.toMs };
  const episodes = await listEpisodes(sql, projectId, filter, past, 1_000);
  const recovery = summariseRecovery(episodes.filter(({ isOpen }) => !isOpen));
  return recovery === null ? null : Math.round(recovery.minutesP50);
}

function describeTargets(
  now: readonly TargetCount[],
  before: readonly TargetCount[],
  isAsked: (target: TargetName) => boolean,
): TargetState[] {
  return [...new Map(now.map((row) => [targetKey(row), row]))].map(([key, { provider, model, endpoint }]) => {
    const ofTarget = (row: TargetCount) => targetKey(row) === key;
    const [seen, usual] = [countOf(now.filter(ofTarget)), countOf(before.filter(ofTarget))];
    return {
      provider,
      model,
      endpoint,
      capacity: toCell(seen.k, seen.n),
      usual: toCell(usual.k, usual.n),
      isAsked: isAsked({ provider, model, endpoint }),
    };
  });
}

function byOutcome(rows: readonly TargetCount[]): Partial<Record<Outcome, number>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const { outcome, attempts } of rows) {
    const name = OUTCOMES[outcome];
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + attempts;
  }
  return counts;
}

function countOf(rows: readonly TargetCount[]): { k: number; n: number } {
  return countShare(byOutcome(rows), "capacity");
}

function firstAttempts(rows: readonly TargetCount[]): number {
  return rows.reduce((sum, { attempts, retries }) => sum + attempts - retries, 0);
}

function toIso({ fromMs, toMs }: TimeRange) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
