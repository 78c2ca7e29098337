export const HOURS_PER_WEEK = 168;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  clocks.set(zone, made);
  return made;
}

/** The parts of what a wall clock in the zone shows: two digits each but for the year, the weekday in three letters. */
export function wallPartsAt(ms: number, zone: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    clockOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
}

/** What a wall clock in the zone shows. `weekday` 0 is Monday. */
export interface WallHour {
  readonly date: string;
  readonly weekday: number;
  readonly hour: number;
}

export function wallHourAt(ms: number, zone: string): WallHour {
  const parts = wallPartsAt(ms, zone);
  return {
    date: `${parts["year"]}-${parts["month"]}-${parts["day"]}`,
    weekday: WEEKDAYS.indexOf(parts["weekday"] ?? ""),
    hour: Number(parts["hour"]),
  };
}

/** 0 = Monday 00:00 in the zone. */
export function hourOfWeekAt(ms: number, zone: string): number {
  const { weekday, hour } = wallHourAt(ms, zone);
  return weekday * 24 + hour;
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

let ownZone: string | undefined;

/** The zone of the machine that shows the page; asked once, since each answer takes the browser milliseconds. */
export function browserZone(): string {
  ownZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ownZone;
}

/** All zones that the browser knows, those one is likely to want first. */
export function listTimeZones(current: string): string[] {
  return [...new Set([current, browserZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])];
}
