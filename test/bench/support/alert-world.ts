import type { Slot, Usual } from "../../../server/alerts/detect/types.ts";
import { learnUsual, type UsualWeek } from "../../../server/alerts/learn-usual.ts";
import { dayAt } from "../../../server/profile/day-hours.ts";
import { binomial, normal, poisson } from "./draws.ts";
import { createRandom } from "./numbers.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
const SLOT_MS = 5 * MINUTE_MS;
/** A Monday. */
export const WORLD_START_MS = Date.UTC(2026, 5, 1);
export const WORLD_DAYS = 30;
/** What is usual is known from here on; before, alarms do not count. */
export const WARM_MS = WORLD_START_MS + 14 * DAY_MS;
const LOOKBACK_MS = 28 * DAY_MS;

export interface AlertWorld {
  readonly slots: readonly Slot[];
  readonly incident: { readonly fromMs: number; readonly toMs: number };
}

export interface WorldOptions {
  readonly callsPerHour: number;
  /** Share while the incident lasts; `null`: there is none. */
  readonly incidentShare: number | null;
  /** Length of what is drawn; must divide five minutes. */
  readonly stepMs?: number;
  /** Hours of the day, UTC, at which so many fail every day, all weeks. */
  readonly rush?: { readonly fromHour: number; readonly toHour: number; readonly share: number };
  readonly fromMs?: number;
  /** Nothing is drawn later than so long after the start of the incident. */
  readonly endsAfterMs?: number;
  /** The incident's share is the same at all hours, instead of that many times the hour's own odds. */
  readonly isExact?: boolean;
  /** As many calls at every hour of the day. */
  readonly isFlat?: boolean;
}

/** Distance to an hour on the clock's ring, as a bell of this width. */
function bell(hour: number, center: number, width: number): number {
  const distance = Math.abs(hour - center) % 24;
  const ring = Math.min(distance, 24 - distance);
  return Math.exp(-(ring * ring) / (2 * width * width));
}

const TRAFFIC = Array.from({ length: 24 }, (_, hour) => 0.25 + 1.75 * bell(hour, 14, 4));
const MEAN_TRAFFIC = TRAFFIC.reduce((sum, one) => sum + one, 0) / 24;
const LOGIT_LOW = -4.6;
const LOGIT_RUSH = 1.5;
const HOURLY_NOISE = 0.35;
const MEAN_SHARE = 0.02;

/**
 * Thirty days of one target: 2 % of calls fail on average, 1 % at night and 4 % in the afternoon, and each hour is off
 * by chance. At some time from the 18th day on an incident of 24 hours multiplies the odds.
 */
export function makeAlertWorld(seed: number, options: WorldOptions): AlertWorld {
  const {
    callsPerHour,
    incidentShare,
    stepMs = SLOT_MS,
    rush,
    fromMs = WORLD_START_MS,
    isFlat = false,
    isExact = false,
    endsAfterMs = Number.POSITIVE_INFINITY,
  } = options;
  const random = createRandom(seed);
  const incidentFromMs = WORLD_START_MS + Math.floor(((18 + 9 * random()) * DAY_MS) / MINUTE_MS) * MINUTE_MS;
  const incident = { fromMs: incidentFromMs, toMs: incidentFromMs + DAY_MS };
  const raised = incidentShare === null ? 0 : logit(incidentShare) - logit(MEAN_SHARE);
  const slots: Slot[] = [];
  let noise = 0;
  const endMs = Math.min(WORLD_START_MS + WORLD_DAYS * DAY_MS, incidentFromMs + endsAfterMs);
  for (let atMs = fromMs; atMs < endMs; atMs += stepMs) {
    const hour = new Date(atMs).getUTCHours();
    if (atMs % HOUR_MS === 0) noise = HOURLY_NOISE * normal(random);
    const isRush = rush !== undefined && hour >= rush.fromHour && hour < rush.toHour;
    const isIncident = incidentShare !== null && atMs >= incident.fromMs && atMs < incident.toMs;
    const ownUsual = isRush ? logit(rush.share) : LOGIT_LOW + LOGIT_RUSH * bell(hour, 15, 3);
    const usual = isIncident && isExact ? logit(MEAN_SHARE) : ownUsual;
    const share = 1 / (1 + Math.exp(-(usual + noise + (isIncident ? raised : 0))));
    const mean =
      (callsPerHour * (isFlat ? MEAN_TRAFFIC : (TRAFFIC[hour] ?? 1)) * stepMs) / (MEAN_TRAFFIC * HOUR_MS);
    const n = poisson(random, mean);
    slots.push({ startMs: atMs, n, k: binomial(random, n, share) });
  }
  return { slots, incident };
}

function logit(share: number): number {
  return Math.log(share / (1 - share));
}

/** What was usual at a time, learnt each day from the 28 days before it, as the product does. */
export function learnDaily(
  slots: readonly Slot[],
  episodesBefore: (dayMs: number) => readonly { fromMs: number; toMs: number }[] = () => [],
): (ms: number) => Usual | null {
  const weeks = new Map<number, UsualWeek | null>();
  return (ms) => {
    const day = dayAt(ms);
    let week = weeks.get(day);
    if (week === undefined) {
      const dayMs = day * DAY_MS;
      const past = slots.filter(({ startMs }) => startMs < dayMs && startMs >= dayMs - LOOKBACK_MS);
      week = learnUsual(toQuarters(past), episodesBefore(dayMs), "UTC", day);
      weeks.set(day, week);
    }
    if (week === null) return null;
    const hour = (Math.floor(ms / HOUR_MS) + 72) % 168;
    return { share: week.shares[hour] ?? 0, n: week.calls[hour] ?? 0, spread: week.spread };
  };
}

export function toQuarters(slots: readonly Slot[]): Slot[] {
  const quarters: { startMs: number; k: number; n: number }[] = [];
  for (const { startMs, k, n } of slots) {
    const quarterMs = Math.floor(startMs / (15 * MINUTE_MS)) * 15 * MINUTE_MS;
    const last = quarters.at(-1);
    if (last?.startMs === quarterMs) {
      last.k += k;
      last.n += n;
    } else quarters.push({ startMs: quarterMs, k, n });
  }
  return quarters;
}
