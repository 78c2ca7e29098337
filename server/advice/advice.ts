import type { Sql } from "../../db/connect.ts";
import type { SeriesFilter } from "../capacity/queries.ts";
import type { Advice, AnyAdviceAnswer, TargetAdviceAnswer } from "../contract/advice.ts";
import { createWall, dayAt, HOURS, toDayHours } from "../profile/day-hours.ts";
import { LEVEL } from "../profile/predict-share.ts";
import { DAY_MS, QUARTER_MS } from "../rollup/levels.ts";
import { adviseAny } from "./advise-any.ts";
import { type AdvisedWindow, adviseTarget, type TargetAdvice } from "./advise-target.ts";
import type { WindowWish } from "./choose-window.ts";
import { formatClock, formatDays, formatWeek } from "./format.ts";
import { mapGently } from "./map-gently.ts";
import { listTargetQuarters } from "./queries.ts";
import { createHistories, LOOKBACK_DAYS, type TargetHistory } from "./target-history.ts";

export interface AdviceQuestion {
  readonly projectId: number;
  readonly filter: Pick<SeriesFilter, "provider" | "model" | "endpoint">;
  readonly zone: string;
  readonly asOfMs: number;
  readonly wish: WindowWish;
}

/** When to call which target, by nothing but attempts before `asOf`: from the rollups, on request. */
export async function getAdvice(sql: Sql, question: AdviceQuestion): Promise<Advice> {
  const { zone, asOfMs, wish, filter } = question;
  const { histories, endDay } = await readHistories(sql, question);
  const asked = histories.filter(
    ({ provider, endpoint }) =>
      (filter.provider === undefined || filter.provider === provider) &&
      (filter.endpoint === undefined || filter.endpoint === endpoint),
  );
  return {
    asOf: new Date(asOfMs).toISOString(),
    zone,
    any: describeAny(asked, endDay, wish),
    targets: await mapGently(asked, (history) => describeAdvice(history, endDay, wish)),
  };
}

/** The histories of all targets of the models asked for: endpoints of one model help one another. */
export async function readHistories(
  sql: Sql,
  { projectId, filter, zone, asOfMs }: Omit<AdviceQuestion, "wish">,
): Promise<{ histories: TargetHistory[]; endDay: number }> {
  const wallMsAt = createWall(zone);
  const range = { fromMs: asOfMs - (LOOKBACK_DAYS + 2) * DAY_MS, toMs: asOfMs };
  const targets = await listTargetQuarters(sql, projectId, { model: filter.model }, range);
  const lastQuarterMs = Math.floor(asOfMs / QUARTER_MS) * QUARTER_MS - 1;
  return {
    histories: createHistories(
      targets.map(({ quarters, ...name }) => ({ ...name, hours: toDayHours(quarters, wallMsAt) })),
    ),
    // The day that asOf is in counts as far as it has come.
    endDay: dayAt(wallMsAt(Math.floor(lastQuarterMs / QUARTER_MS) * QUARTER_MS)) + 1,
  };
}

function describeAny(asked: readonly TargetHistory[], endDay: number, wish: WindowWish): Advice["any"] {
  const any = adviseAny(asked, endDay, wish);
  if (any === null) return null;
  return {
    verdict: any.verdict as AnyAdviceAnswer["verdict"],
    ...describeWindows(any),
    use: any.use.flatMap((place) => {
      const target = asked[place];
      if (target === undefined) return [];
      return [{ provider: target.provider, model: target.model, endpoint: target.endpoint }];
    }),
  };
}

function describeAdvice(history: TargetHistory, endDay: number, wish: WindowWish): TargetAdviceAnswer {
  const { provider, model, endpoint } = history;
  const advice = adviseTarget(history, endDay, wish);
  const { verdict, moreDays, repeatability } = advice;
  return {
    provider,
    model,
    endpoint,
    verdict,
    moreDays,
    ...describeWindows(advice),
    repeats:
      repeatability === null
        ? null
        : {
            score: Math.round(repeatability.score * 100) / 100,
            weeksWon: repeatability.weeksWon,
            weeksHeld: repeatability.weeksHeld,
          },
  };
}

function describeWindows({
  windows,
  weekly,
  backtest,
}: Pick<TargetAdvice, "windows" | "weekly" | "backtest">): Pick<
  TargetAdviceAnswer,
  "level" | "windows" | "weekly" | "backtest"
> {
  return {
    level: LEVEL,
    windows: windows.map(describeWindow),
    weekly: weekly === null ? null : describeWindow(weekly),
    backtest: backtest.map(({ monday, inWindow, usual, oracle }) => ({
      week: formatWeek(monday),
      inWindow,
      usual,
      oracle,
    })),
  };
}

function describeWindow({ days, from, lengthHours, ...figures }: AdvisedWindow) {
  return {
    days: formatDays(days),
    from: formatClock(from),
    to: formatClock((from + lengthHours) % HOURS),
    expected: figures.expected,
    low: figures.low,
    high: figures.high,
    usual: figures.usual,
    worst: figures.worst,
    n: figures.n,
  };
}
