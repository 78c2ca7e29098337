const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface Reading {
  readonly endMs: number;
  readonly share: number;
  /** Calls behind it at least; `null`: unknown. */
  readonly n: number | null;
}

/** Readings in a row above the bar; found from the readings alone, by nothing that the product computes. */
export interface Trouble {
  readonly fromMs: number;
  readonly toMs: number;
  readonly lengthMs: number;
  readonly readings: readonly Reading[];
  /** Most of its readings tell how many calls are behind them. */
  readonly isKnown: boolean;
  /** The first two, or all, are above 50 %. */
  readonly isSevere: boolean;
}

const READING_MS = 5 * MINUTE_MS;
const LOOKBACK_MS = 28 * DAY_MS;
const LEAST_BAR = 0.2;
const TIMES_USUAL = 3;
/** With a longer gap between two readings nothing is known of what lies between. */
const MOST_GAP_MS = 31 * MINUTE_MS;
/** Readings of an hour of the day and its neighbours by which that hour is known; with fewer, all are taken. */
const ENOUGH_READINGS = 20;

export function listTroubles(readings: readonly Reading[], fromMs: number): Trouble[] {
  const barAt = createBar(readings);
  const runs: Reading[][] = [];
  let last: Reading | null = null;
  for (const reading of readings) {
    if (reading.endMs < fromMs) continue;
    if (reading.share > barAt(reading.endMs)) {
      const isNext = last !== null && reading.endMs - last.endMs <= MOST_GAP_MS;
      if (isNext) runs.at(-1)?.push(reading);
      else runs.push([reading]);
      last = reading;
    } else last = null;
  }
  return runs.map(toTrouble);
}

function toTrouble(readings: readonly Reading[]): Trouble {
  const fromMs = (readings[0]?.endMs ?? 0) - READING_MS;
  const toMs = readings.at(-1)?.endMs ?? 0;
  const severe = (some: readonly Reading[]) => some.every(({ share }) => share > 0.5);
  return {
    fromMs,
    toMs,
    lengthMs: toMs - fromMs,
    readings,
    isKnown: readings.filter(({ n }) => n !== null).length * 2 > readings.length,
    isSevere: severe(readings.slice(0, 2)) || severe(readings),
  };
}

/** Max(20 %, 3 × the mean of the hour of day over the 28 days before). */
function createBar(readings: readonly Reading[]): (ms: number) => number {
  const known = new Map<string, number>();
  return (ms) => {
    const dayMs = Math.floor(ms / DAY_MS) * DAY_MS;
    const hour = new Date(ms).getUTCHours();
    const key = `${dayMs} ${hour}`;
    let bar = known.get(key);
    if (bar === undefined) {
      const past = readings.filter(({ endMs }) => endMs < dayMs && endMs >= dayMs - LOOKBACK_MS);
      const near = past.filter(({ endMs }) => {
        const apart = Math.abs(new Date(endMs).getUTCHours() - hour);
        return Math.min(apart, 24 - apart) <= 1;
      });
      const taken = near.length >= ENOUGH_READINGS ? near : past;
      const mean = taken.reduce((sum, { share }) => sum + share, 0) / Math.max(1, taken.length);
      bar = Math.max(LEAST_BAR, TIMES_USUAL * mean);
      known.set(key, bar);
    }
    return bar;
  };
}
