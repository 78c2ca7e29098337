import type { Sql } from "../../db/connect.ts";
import type { Now, NowHour, NowTarget } from "../contract/now.ts";
import type { Cell, CountKind, HeatmapCell } from "../contract/share.ts";
import { HOUR_MS } from "../rollup/levels.ts";
import { offsetMsAt } from "../time/zone.ts";
import { toCell } from "./cell.ts";
import { defaultLookback, findUsableRun, type HeatmapQuestion, HOURS_PER_WEEK } from "./heatmap.ts";
import { judgeNow } from "./judge-now.ts";
import { listSeenTargets, type SeenTarget } from "./listing.ts";
import {
  listTargetHourShares,
  listTargetProfileShares,
  listTargetShares,
  listTargetWeekShares,
  type TargetShare,
} from "./now-queries.ts";
import { listStarts } from "./points.ts";
import { listTargetCounts, type SeriesFilter } from "./queries.ts";
import { planReading } from "./segments.ts";

export interface NowQuestion {
  readonly projectId: number;
  readonly filter: SeriesFilter;
  readonly count: CountKind;
  readonly zone: string;
}

const DAY_HOURS = 24;

/**
 * Every target that was ever called, with its capacity share now, over the last 24 hours, and as it usually is. The
 * numbers are those of overview, series and heatmap, in one answer.
 */
export async function getNow(sql: Sql, asked: NowQuestion, nowMs: number): Promise<Now> {
  const { zone, count } = asked;
  const question = { ...asked, outcome: "capacity" as const };
  const starts = lastHourStarts(nowMs, zone);
  const todayFrom = Math.floor(hourOfWeekAt(nowMs, zone) / DAY_HOURS) * DAY_HOURS;
  const todayHours = Array.from({ length: DAY_HOURS }, (_, hour) => todayFrom + hour);
  const hoursOfWeek = [...new Set([...todayHours, ...starts.map((start) => hourOfWeekAt(start, zone))])];
  const dayFrom = starts[0] ?? nowMs;
  const [seen, lastHour, lastThree, hours, usual, totals] = await Promise.all([
    listSeenTargets(sql, question),
    listTargetShares(sql, read({ fromMs: nowMs - HOUR_MS, toMs: nowMs })),
    listTargetShares(sql, read({ fromMs: nowMs - 3 * HOUR_MS, toMs: nowMs })),
    listTargetHourShares(sql, read({ fromMs: dayFrom, toMs: nowMs }), zone),
    listUsual(sql, question, hoursOfWeek, nowMs),
    listTargetCounts(sql, {
      ...question,
      segments: planReading(defaultLookback(nowMs), nowMs, "1d").segments,
    }),
  ]);
  const find = {
    lastHour: byTarget(lastHour, () => ""),
    lastThree: byTarget(lastThree, () => ""),
    hours: byTarget(hours, ({ startMs }) => String(startMs)),
    usual: byTarget(usual, ({ hourOfWeek }) => String(hourOfWeek)),
  };
  const calls = new Map<string, number>();
  for (const row of totals) calls.set(keyOf(row), (calls.get(keyOf(row)) ?? 0) + row[count]);

  const targets = seen.map((target): NowTarget => {
    const usualAt = (hourOfWeek: number) => find.usual(target, String(hourOfWeek));
    const today = todayHours.map((hourOfWeek): HeatmapCell => ({ hourOfWeek, ...usualAt(hourOfWeek) }));
    return {
      ...describeTarget(target),
      calls: calls.get(keyOf(target)) ?? 0,
      now: judgeNow(find.lastHour(target, ""), find.lastThree(target, "")),
      usual: usualAt(hourOfWeekAt(nowMs, zone)),
      hours: starts.map((startMs, i): NowHour => {
        const hourOfWeek = hourOfWeekAt(startMs, zone);
        return {
          start: new Date(startMs).toISOString(),
          hourOfWeek,
          isOpen: (starts[i + 1] ?? startMs + HOUR_MS) > nowMs,
          measured: find.hours(target, String(startMs)),
          usual: usualAt(hourOfWeek),
        };
      }),
      today,
    };
  });
  targets.sort((a, b) => b.calls - a.calls || a.model.localeCompare(b.model));
  return { zone, count, now: new Date(nowMs).toISOString(), targets };

  function read(range: { fromMs: number; toMs: number }) {
    return { ...question, segments: planReading(range, nowMs).segments };
  }
}

/** What is usual at these hours of the week: the hourly job's counts and the hours since, or all from rollups. */
async function listUsual(
  sql: Sql,
  question: Omit<HeatmapQuestion, "range">,
  hoursOfWeek: readonly number[],
  nowMs: number,
) {
  const { projectId, zone } = question;
  const run = await findUsableRun(sql, projectId, zone, nowMs);
  const range = run === null ? defaultLookback(nowMs) : { fromMs: run.rangeTo.getTime(), toMs: nowMs };
  const { segments } = planReading(range, nowMs);
  const [prepared, open] = await Promise.all([
    run === null ? [] : listTargetProfileShares(sql, question, hoursOfWeek),
    listTargetWeekShares(sql, { ...question, segments }, zone, hoursOfWeek),
  ]);
  return [...prepared, ...open];
}

function lastHourStarts(nowMs: number, zone: string): number[] {
  return listStarts(nowMs - DAY_HOURS * HOUR_MS, nowMs + 1, "1h", zone).slice(-DAY_HOURS);
}

function hourOfWeekAt(ms: number, zone: string): number {
  const localHours = Math.floor((ms + offsetMsAt(zone, ms)) / HOUR_MS);
  // 1 January 1970 was a Thursday.
  return (localHours + 72) % HOURS_PER_WEEK;
}

type Target = Pick<SeenTarget, "provider" | "model" | "endpoint">;

const keyOf = ({ provider, model, endpoint }: Target) => `${provider}\n${model}\n${endpoint}`;

function describeTarget({ provider, model, endpoint, firstSeen, lastSeen }: SeenTarget) {
  return {
    provider,
    model,
    endpoint,
    firstSeen: firstSeen?.toISOString() ?? null,
    lastSeen: lastSeen?.toISOString() ?? null,
  };
}

/** Cells by target and a part of it; rows of the same part are added up, and what has no row has no calls. */
function byTarget<T extends TargetShare>(rows: readonly T[], partOf: (row: T) => string) {
  const sums = new Map<string, { k: number; n: number }>();
  for (const row of rows) {
    const key = `${keyOf(row)}\n${partOf(row)}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { k: row.k, n: row.n });
    else {
      sum.k += row.k;
      sum.n += row.n;
    }
  }
  return (target: Target, part: string): Cell => {
    const { k, n } = sums.get(`${keyOf(target)}\n${part}`) ?? { k: 0, n: 0 };
    return toCell(k, n);
  };
}
