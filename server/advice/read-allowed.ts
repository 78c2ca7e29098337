import { invalidQuery } from "../http/parse.ts";
import { HOURS } from "../profile/day-hours.ts";

/**
 * `8-20`: from 08:00 to 20:00; `22-6` crosses midnight.
 *
 * @throws AppError 422 where it is none, or has no room for a window
 */
export function readAllowed(allowed: string | undefined, lengthHours: number): (hour: number) => boolean {
  if (allowed === undefined) return () => true;
  const [, from, to] = (/^(\d{1,2})-(\d{1,2})$/.exec(allowed) ?? []).map(Number);
  if (from === undefined || to === undefined || from >= HOURS || to > HOURS || from === to % HOURS) {
    throw invalidQuery([{ pointer: "?allowed", detail: "is not two hours of the day, like 8-20 or 22-6" }]);
  }
  if ((to - from + HOURS) % HOURS < lengthHours) {
    throw invalidQuery([{ pointer: "?allowed", detail: "is shorter than the wanted window" }]);
  }
  return (hour) => (from < to ? hour >= from && hour < to : hour >= from || hour < to);
}
