import type { Sql } from "../../db/connect.ts";
import { toCell } from "../capacity/cell.ts";
import { getHeatmap } from "../capacity/heatmap.ts";
import { judgeNow } from "../capacity/judge-now.ts";
import { listTargetShares } from "../capacity/now-queries.ts";
import { planReading } from "../capacity/segments.ts";
import type { CapacityAnswer } from "../contract/advice.ts";
import { createWall, dayAt, HOURS, toDayHours, weekdayOf } from "../profile/day-hours.ts";
import { sum } from "../profile/sum.ts";
import { DAY_MS, HOUR_MS, QUARTER_MS } from "../rollup/levels.ts";
import type { AdviceQuestion } from "./advice.ts";
import { adviseTarget } from "./advise-target.ts";
import { nextWindow } from "./next-window.ts";
import { listTargetQuarters } from "./queries.ts";
import { createHistories, LOOKBACK_DAYS } from "./target-history.ts";

/** How busy it is now, what is usual, and when next to call: of all targets that match, taken together. */
export async function getCapacity(sql: Sql, question: AdviceQuestion): Promise<CapacityAnswer> {
  const { projectId, filter, zone, asOfMs: nowMs, wish } = question;
  const shares = async (hours: number) => {
    const { segments } = planReading({ fromMs: nowMs - hours * HOUR_MS, toMs: nowMs }, nowMs);
    const found = await listTargetShares(sql, {
      projectId,
      filter,
      segments,
      count: "attempts",
      outcome: "capacity",
    });
    return toCell(sum(found.map(({ k }) => k)), sum(found.map(({ n }) => n)));
  };
  const range = { fromMs: nowMs - (LOOKBACK_DAYS + 2) * DAY_MS, toMs: nowMs };
  const [one, three, heatmap, targets] = await Promise.all([
    shares(1),
    shares(3),
    getHeatmap(sql, { projectId, filter, count: "attempts", outcome: "capacity", zone, range: null }, nowMs),
    listTargetQuarters(sql, projectId, filter, range),
  ]);
  const wallMsAt = createWall(zone);
  const wallMs = wallMsAt(Math.floor(nowMs / QUARTER_MS) * QUARTER_MS);
  const hourOfWeek = weekdayOf(dayAt(wallMs)) * HOURS + Math.floor((wallMs % DAY_MS) / HOUR_MS);
  const hours = toDayHours(
    targets.flatMap(({ quarters }) => quarters),
    wallMsAt,
  );
  const together = createHistories([{ provider: "", model: "", endpoint: "", hours }]);
  const advice = together.map((history) => adviseTarget(history, dayAt(wallMs) + 1, wish))[0];
  const next = nextWindow(advice?.windows ?? [], zone, nowMs);
  const usual = heatmap.cells[hourOfWeek] ?? toCell(0, 0);
  return {
    now: judgeNow(one, three).cell,
    usual: { k: usual.k, n: usual.n, rate: usual.rate, low: usual.low, high: usual.high, state: usual.state },
    nextWindow:
      next === null
        ? null
        : {
            from: new Date(next.fromMs).toISOString(),
            to: new Date(next.toMs).toISOString(),
            expected: next.window.expected,
          },
  };
}
