import type { DayHour } from "../../../server/profile/day-hours.ts";
import { binomial, normal, poisson } from "./draws.ts";
import { createRandom } from "./numbers.ts";

/** A made provider: what share finds no room at each hour of each week, and what was seen of the first weeks. */
export interface PeakWorld {
  /** Counts of the weeks to learn from. */
  readonly weeks: readonly { readonly k: readonly number[]; readonly n: readonly number[] }[];
  /** Mean of the true shares over the four weeks after. */
  readonly truth: readonly number[];
}

const HOURS = 168;
const FUTURE_WEEKS = 4;

const logistic = (x: number) => 1 / (1 + Math.exp(-x));

/** A hill over a ring of 24 hours. */
function hill(hour: number, top: number, width: number): number {
  const distance = Math.abs(hour - top) % 24;
  return Math.exp(-0.5 * (Math.min(distance, 24 - distance) / width) ** 2);
}

const TRAFFIC = Array.from({ length: 24 }, (_, hour) => 0.25 + 1.75 * hill(hour, 14, 4));
const MEAN_TRAFFIC = TRAFFIC.reduce((a, b) => a + b, 0) / 24;

/**
 * About 12 % at the peak of weekdays and under 1 % at night, with a smaller peak in the morning; every hour of the week
 * has a lasting noise of its own, every week a level that remembers the last, every hour more noise, and now and then
 * there is an outage of some hours. Calls are a Poisson process that follows the day.
 */
export function makePeakWorld(seed: number, callsPerHour: number, weekCount: number): PeakWorld {
  const random = createRandom(seed);
  const top = 13.5 + 3 * random();
  const width = 2.5 + random();
  const height = 2.7 + 0.5 * random();
  const days = [1, 1, 1, 1, 0.95, 0.45, 0.3].map((factor) => factor * (0.9 + 0.2 * random()));
  const lasting = Array.from({ length: HOURS }, () => 0.25 * normal(random));
  let level = 0.3 * normal(random);
  const shares = Array.from({ length: weekCount + FUTURE_WEEKS }, () => {
    level = 0.7 * level + 0.3 * Math.sqrt(0.51) * normal(random);
    const logits = lasting.map((own, at) => {
      const hour = (at % 24) + 0.5;
      const peak = Math.max(hill(hour, top, width), 0.6 * hill(hour, top - 4.5, 1.5));
      return -5.1 + (days[Math.floor(at / 24)] ?? 1) * height * peak + own + level + 0.35 * normal(random);
    });
    addOutages(logits, random);
    return logits.map(logistic);
  });
  const weeks = shares.slice(0, weekCount).map((week) => {
    const n = week.map((_, at) => poisson(random, (callsPerHour * (TRAFFIC[at % 24] ?? 0)) / MEAN_TRAFFIC));
    return { n, k: week.map((share, at) => binomial(random, n[at] ?? 0, share)) };
  });
  const truth = Array.from(
    { length: HOURS },
    (_, at) => shares.slice(weekCount).reduce((sum, week) => sum + (week[at] ?? 0), 0) / FUTURE_WEEKS,
  );
  return { weeks, truth };
}

function addOutages(logits: number[], random: () => number): void {
  const outages = poisson(random, 1.5);
  for (let i = 0; i < outages; i++) {
    let at: number;
    do at = Math.floor(HOURS * random());
    while (random() > (TRAFFIC[at % 24] ?? 0) / 2);
    const end = Math.min(HOURS, at + 1 + Math.floor(3 * random()));
    for (; at < end; at++) logits[at] = (logits[at] ?? 0) + 2.5;
  }
}

/** A Monday to which the weeks are dated. */
export const FIRST_DAY = Date.UTC(2026, 0, 5) / 86_400_000;

export function toHours({ weeks }: PeakWorld): DayHour[] {
  return weeks.flatMap(({ k, n }, week) =>
    n.flatMap((calls, at) =>
      calls === 0
        ? []
        : [{ day: FIRST_DAY + 7 * week + Math.floor(at / 24), hour: at % 24, n: calls, k: k[at] ?? 0 }],
    ),
  );
}
