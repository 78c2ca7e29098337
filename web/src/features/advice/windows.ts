import type { Advice, TargetAdviceAnswer } from "../../../../server/contract/advice.ts";
import type { Messages } from "../../messages/en.ts";
import type { Formats } from "../../messages/formats.ts";
import { coverHours, DAYS, type DayWindow } from "../../time/week-hours.ts";

/** Hours of the week that windows cover, 0 = Monday 00:00. */
export function hoursOfWindows(windows: readonly DayWindow[]): Set<number> {
  return new Set(windows.flatMap((window) => [...coverHours(window).whole]));
}

/** `every day`, `on weekdays`, `at weekends`, or the days' names. */
export function describeDays(days: readonly string[], { advice }: Messages, formats: Formats): string {
  const weekdays = DAYS.flatMap((day, i) => (days.includes(day) ? [i] : []));
  if (weekdays.length === 7) return advice.days.all;
  if (weekdays.join("") === "01234") return advice.days.weekdays;
  if (weekdays.join("") === "56") return advice.days.weekend;
  return advice.days.list(weekdays.map((weekday) => formats.weekday(weekday, "short")));
}

/** Targets with advice, those first that gain most; and the others, in the order of the answer. */
export function sortAdvice({ targets }: Advice): {
  advised: TargetAdviceAnswer[];
  others: TargetAdviceAnswer[];
} {
  const gain = ({ windows }: TargetAdviceAnswer) =>
    Math.max(...windows.map(({ usual, expected }) => usual - expected));
  const advised = targets.filter(({ verdict }) => verdict === "advise").sort((a, b) => gain(b) - gain(a));
  return { advised, others: targets.filter(({ verdict }) => verdict !== "advise") };
}

/** What the named hours would have had on earlier weeks, each week alike; `null` without one. */
export function summariseBacktest(
  backtest: TargetAdviceAnswer["backtest"],
): { inWindow: number; usual: number } | null {
  if (backtest.length === 0) return null;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    inWindow: mean(backtest.map(({ inWindow }) => inWindow)),
    usual: mean(backtest.map(({ usual }) => usual)),
  };
}
