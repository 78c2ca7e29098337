import { DAYS, type Day } from "../../time/week-hours.ts";
import type { PlanWindow } from "./blocks.ts";
import type { RoutingWords } from "./use-routing.ts";

/** `Mon–Fri 10:00–16:00`; days that do not follow one another are listed. */
export function describeWindow({ days, from, to }: PlanWindow, words: RoutingWords): string {
  return `${describeDays(days ?? DAYS, words)} ${from}–${to}`;
}

function describeDays(days: readonly Day[], words: RoutingWords): string {
  const open = DAYS.filter((day) => days.includes(day));
  const [first, last] = [open[0], open.at(-1)];
  if (first === undefined || last === undefined) return "";
  if (open.length === DAYS.length) return words.daily;
  const isRun = open.length > 2 && DAYS.indexOf(last) - DAYS.indexOf(first) === open.length - 1;
  return isRun ? `${words.days[first]}–${words.days[last]}` : open.map((day) => words.days[day]).join(", ");
}

/** A, B, C … for the orders of a chain. */
export const letterOf = (block: number) => String.fromCharCode(65 + (block % 26));
