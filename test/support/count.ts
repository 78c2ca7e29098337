import type { AttemptEvent, Outcome } from "@busyhour/sdk";

/** Not in the denominator of the capacity share: written here a second time, on purpose. */
const LEFT_OUT: ReadonlySet<Outcome> = new Set<Outcome>([
  "cancelled",
  "invalid_request",
  "context_length",
  "content_filter",
  "auth",
  "permission",
  "quota",
  "not_found",
  "bad_output",
]);

/** k and n of the capacity share by hour of week, counted directly from events with the zone rules of `Intl`. */
export function countByHourOfWeek(
  events: Iterable<AttemptEvent>,
  zone: string,
): { k: number[]; n: number[] } {
  const wall = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    hour: "2-digit",
    hourCycle: "h23",
  });
  const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
  const k = new Array<number>(168).fill(0);
  const n = new Array<number>(168).fill(0);
  const hours = new Map<number, number>();
  for (const { occurredAt, outcome } of events) {
    const quarter = Math.floor(new Date(occurredAt).getTime() / 900_000);
    let hour = hours.get(quarter);
    if (hour === undefined) {
      const parts = Object.fromEntries(
        wall.formatToParts(quarter * 900_000).map(({ type, value }) => [type, value]),
      );
      hour = days.indexOf(parts["weekday"] ?? "") * 24 + Number(parts["hour"]);
      hours.set(quarter, hour);
    }
    if (outcome !== undefined && !LEFT_OUT.has(outcome)) n[hour] = (n[hour] ?? 0) + 1;
    if (outcome === "capacity") k[hour] = (k[hour] ?? 0) + 1;
  }
  return { k, n };
}
