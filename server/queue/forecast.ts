/** What waits in lanes that go the same way. */
export interface ForecastGroup {
  /** `null`: nothing holds them but their own times. */
  readonly gate: ForecastGate | null;
  /** Wait for nothing of their own. */
  readonly free: number;
  /** By hour, 24: ready for a reason of their own. */
  readonly delayed: readonly number[];
  /** By hour, 24: their latest time comes. */
  readonly due: readonly number[];
}

export interface ForecastGate {
  readonly isOpen: boolean;
  /** By hour, 24: whether it is expected to let jobs go. */
  readonly opens: readonly boolean[];
}

export interface ForecastHour {
  readonly ready: number;
  readonly held: number;
  readonly scheduled: number;
  readonly due: number;
}

export const FORECAST_HOURS = 24;

/**
 * How many jobs will run in each of the coming 24 hours, as far as is known now: the urgent first, then those whose time has
 * come, those that are free, and those that a good window lets go. What an hour has no room for is left to the next ones;
 * what a window has no room for is held again when it is over.
 *
 * @param perHour jobs that workers can do in an hour; `null`: nobody knows, and each hour takes what there is
 * @param firstShare how much of the first hour is left, 0-1
 */
export function forecastHours(
  groups: readonly ForecastGroup[],
  perHour: number | null,
  firstShare: number,
): ForecastHour[] {
  const held = groups.map(({ gate, free }) => (gate === null || gate.isOpen ? 0 : free));
  let ready = groups.reduce((sum, { gate, free }) => sum + (gate === null || gate.isOpen ? free : 0), 0);
  let due = 0;
  let scheduled = 0;
  return Array.from({ length: FORECAST_HOURS }, (_, hour) => {
    for (const [i, group] of groups.entries()) {
      const isOpen = isOpenIn(group, hour);
      const own = group.delayed[hour] ?? 0;
      if (isOpen) scheduled += own;
      else held[i] = (held[i] ?? 0) + own;
      const urgent = isOpen ? 0 : Math.min(held[i] ?? 0, group.due[hour] ?? 0);
      held[i] = (held[i] ?? 0) - urgent;
      due += urgent;
    }
    let room = perHour === null ? Number.POSITIVE_INFINITY : perHour * (hour === 0 ? firstShare : 1);
    const take = (wanted: number) => {
      const taken = Math.min(wanted, Math.floor(room));
      room -= taken;
      return taken;
    };
    const runs = { due: take(due), scheduled: take(scheduled), ready: take(ready), held: 0 };
    due -= runs.due;
    scheduled -= runs.scheduled;
    ready -= runs.ready;
    for (const [i, group] of groups.entries()) {
      if (group.gate === null || !isOpenIn(group, hour)) continue;
      const taken = take(held[i] ?? 0);
      held[i] = (held[i] ?? 0) - taken;
      runs.held += taken;
    }
    return runs;
  });
}

function isOpenIn({ gate }: ForecastGroup, hour: number): boolean {
  return gate === null || gate.opens[hour] === true;
}
