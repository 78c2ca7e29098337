import { nextWindow } from "../advice/next-window.ts";
import type { WaitReason } from "../contract/job.ts";
import type { AheadHour } from "../contract/queue.ts";
import { createWall, dayAt, HOURS, weekdayOf } from "../profile/day-hours.ts";
import { DAY_MS, floorTo, HOUR_MS, QUARTER_MS } from "../rollup/levels.ts";
import type { LaneCount, LaneHour } from "./depth-queries.ts";
import { FORECAST_HOURS, type ForecastGroup, forecastHours } from "./forecast.ts";
import type { GateRow } from "./gate-queries.ts";
import type { Lane } from "./lane.ts";

/** A lane with what is counted of it. */
export interface LaneState {
  readonly lane: Lane;
  readonly count: LaneCount;
  readonly gate: GateRow | null;
}

/** What of jobs' own times is known, by hour from `hourMs` on. */
interface HourCounts {
  readonly hourMs: number;
  readonly dues: readonly LaneHour[];
  readonly delays: readonly LaneHour[];
}

const OPEN_WHEN_CALM: ReadonlySet<WaitReason> = new Set([
  "noBetterHour",
  "nothingLearnt",
  "noPattern",
  "noTarget",
  "calm",
  "short",
  "episode",
]);

/** Hours in which a gate is expected to let jobs go. */
function opensIn(gate: GateRow, zone: string, hoursMs: readonly number[]): boolean[] {
  const windows = (gate.learnt?.targets ?? []).flatMap((target) => target.windows);
  return hoursMs.map((fromMs, i) => {
    if (i === 0 && !gate.isOpen && OPEN_WHEN_CALM.has(gate.reason)) return false;
    if (gate.mode === "calm" || windows.length === 0) return true;
    return isInWindow(windows, zone, fromMs) || (i === 0 && gate.isOpen);
  });
}

function isInWindow(windows: Parameters<typeof nextWindow>[0], zone: string, fromMs: number): boolean {
  const next = nextWindow(windows, zone, fromMs);
  return next !== null && next.fromMs < fromMs + HOUR_MS;
}

function byHour(rows: readonly LaneHour[], laneId: number): number[] {
  const hours = Array<number>(FORECAST_HOURS).fill(0);
  for (const row of rows)
    if (row.laneId === laneId && row.hour < FORECAST_HOURS)
      hours[row.hour] = (hours[row.hour] ?? 0) + row.count;
  return hours;
}

/** What will run in each of the coming 24 hours, with the share that is expected then. */
export function toAhead(
  states: readonly LaneState[],
  { hourMs, dues, delays }: HourCounts,
  {
    zone,
    perHour,
    nowMs,
  }: { readonly zone: string; readonly perHour: number | null; readonly nowMs: number },
): AheadHour[] {
  const hoursMs = Array.from({ length: FORECAST_HOURS }, (_, i) => hourMs + i * HOUR_MS);
  const waiting = states.filter(({ count }) => count.free + count.delayed > 0);
  const opens = new Map<number, boolean[]>();
  for (const { gate } of waiting)
    if (gate !== null && !opens.has(gate.id)) opens.set(gate.id, opensIn(gate, zone, hoursMs));
  const groups = waiting.map(
    ({ lane, count, gate }): ForecastGroup => ({
      gate: gate === null ? null : { isOpen: gate.isOpen, opens: opens.get(gate.id) ?? [] },
      free: count.free,
      delayed: byHour(delays, lane.id),
      due: byHour(dues, lane.id),
    }),
  );
  const runs = forecastHours(groups, perHour, 1 - (nowMs - hourMs) / HOUR_MS);
  const wallMsAt = createWall(zone);
  return hoursMs.map((fromMs, i) => ({
    from: new Date(fromMs).toISOString(),
    to: new Date(fromMs + HOUR_MS).toISOString(),
    jobs: runs[i] ?? { ready: 0, held: 0, scheduled: 0, due: 0 },
    expected: expectedAt(waiting, hourOfWeekAt(wallMsAt, fromMs)),
    isGood: waiting.some(
      ({ gate }) =>
        gate !== null &&
        isInWindow(
          (gate.learnt?.targets ?? []).flatMap((target) => target.windows),
          zone,
          fromMs,
        ),
    ),
  }));
}

function hourOfWeekAt(wallMsAt: (ms: number) => number, ms: number): number {
  const wallMs = wallMsAt(floorTo(ms, QUARTER_MS));
  return weekdayOf(dayAt(wallMs)) * HOURS + Math.floor((((wallMs % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS);
}

/** Of the gates before which jobs wait, each as much as there are; `null`: of none it is known. */
function expectedAt(states: readonly LaneState[], hourOfWeek: number): number | null {
  let sum = 0;
  let weight = 0;
  for (const { gate, count } of states) {
    const rate = gate?.rates?.[hourOfWeek];
    if (rate === undefined) continue;
    sum += rate * (count.free + count.delayed);
    weight += count.free + count.delayed;
  }
  return weight === 0 ? null : sum / weight;
}
