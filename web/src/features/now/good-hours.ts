import type { Cell } from "../../../../server/contract/share.ts";
import { HOURS_PER_WEEK } from "../../time/zone.ts";

/** As in the judgement of now: `server/capacity/judge-now.ts`. */
export const GOOD_BELOW = 0.02;

/** Hours of week in a row, [from, to) counted from now on; `to` may pass 167. */
export interface HourRun {
  readonly fromHourOfWeek: number;
  readonly toHourOfWeek: number;
}

/** What the next 24 hours are usually like. */
export type Outlook =
  | { readonly kind: "unknown" }
  | { readonly kind: "allGood" }
  /** At most two runs, the next ones; `isNow`: the first has begun. */
  | { readonly kind: "good"; readonly runs: readonly HourRun[]; readonly isNow: boolean }
  | { readonly kind: "none"; readonly leastBusy: number; readonly rate: number };

/** From this many hours with enough calls on, the next day can be spoken of. */
const LEAST_KNOWN_HOURS = 12;
const DAY_HOURS = 24;

/**
 * The good hours of the next 24: enough calls, and less than 2 % of them found no room.
 *
 * @param cells by hour of week, 168 of them
 */
export function findOutlook(cells: readonly Cell[], nowHourOfWeek: number): Outlook {
  const next = Array.from({ length: DAY_HOURS }, (_, i) => ({
    hour: nowHourOfWeek + i,
    cell: cells[(nowHourOfWeek + i) % HOURS_PER_WEEK],
  }));
  const known = next.flatMap(({ hour, cell }) =>
    cell !== undefined && cell.state === "enough" && cell.rate !== null ? [{ hour, rate: cell.rate }] : [],
  );
  if (known.length < LEAST_KNOWN_HOURS) return { kind: "unknown" };
  const good = known.filter(({ rate }) => rate < GOOD_BELOW).map(({ hour }) => hour);
  if (good.length === DAY_HOURS) return { kind: "allGood" };
  if (good.length === 0) {
    const least = known.reduce((best, hour) => (hour.rate < best.rate ? hour : best));
    return { kind: "none", leastBusy: least.hour % DAY_HOURS, rate: least.rate };
  }
  const runs = toRuns(good);
  const isNow = runs[0]?.fromHourOfWeek === nowHourOfWeek;
  // One lonely hour says less than the first run of two and more.
  const longer = runs.filter((run, i) => (isNow && i === 0) || run.toHourOfWeek - run.fromHourOfWeek > 1);
  return { kind: "good", runs: (longer.length > 0 ? longer : runs).slice(0, 2), isNow };
}

function toRuns(hours: readonly number[]): HourRun[] {
  const runs: { fromHourOfWeek: number; toHourOfWeek: number }[] = [];
  for (const hour of hours) {
    const last = runs.at(-1);
    if (last?.toHourOfWeek === hour) last.toHourOfWeek = hour + 1;
    else runs.push({ fromHourOfWeek: hour, toHourOfWeek: hour + 1 });
  }
  return runs;
}
