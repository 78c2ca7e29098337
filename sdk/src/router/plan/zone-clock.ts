import type { Weekday } from "./plan-document.ts";

export const WEEKDAYS: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** What the clock on the wall shows. */
export interface WallTime {
  /** 0 = Monday. */
  readonly day: number;
  /** Minutes since midnight. */
  readonly minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * @param timeZone an IANA zone
 * @throws {RangeError} when there is no such zone
 */
export function getWallTime(epochMs: number, timeZone: string): WallTime {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      weekday: "short",
      hour: "numeric",
      minute: "numeric",
      hourCycle: "h23",
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, value]));
  const name = (parts.get("weekday") ?? "").slice(0, 3).toLowerCase() as Weekday;
  return {
    day: WEEKDAYS.indexOf(name),
    minute: (Number(parts.get("hour")) % 24) * 60 + Number(parts.get("minute")),
  };
}

/** Whether there is such a zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone });
    return true;
  } catch {
    return false;
  }
}
