import { wallPartsAt } from "./zone.ts";

/** What a wall clock in the zone shows, as a date field of the browser has it: `2026-10-25T02:30`. */
export function toWallText(ms: number, zone: string): string {
  const parts = wallPartsAt(ms, zone);
  return `${parts["year"]}-${parts["month"]}-${parts["day"]}T${parts["hour"]}:${parts["minute"]}`;
}

/**
 * The instant at which a wall clock in the zone shows this. Where clocks go back and show it twice, the first time;
 * where they go forward and skip it, so much later as they skip.
 *
 * @returns NaN for text that is no time
 */
export function fromWallText(text: string, zone: string): number {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return Number.NaN;
  const offsetAt = (ms: number) => Date.parse(`${toWallText(ms, zone)}Z`) - Math.floor(ms / 60_000) * 60_000;
  // No zone is further from UTC than a day: one of the two offsets around the time is the right one.
  const offsets = [offsetAt(asUtc - 86_400_000), offsetAt(asUtc + 86_400_000)];
  const candidates = offsets.map((offset) => asUtc - offset).sort((a, b) => a - b);
  const shown = candidates.find((ms) => toWallText(ms, zone) === text.slice(0, 16));
  return shown ?? candidates.at(-1) ?? Number.NaN;
}
