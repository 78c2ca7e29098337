import type { ReportDocument } from "../../contract/report.ts";
import type { ReportTongue, ReportWords } from "./words.ts";

const DAYS = { mon: "Mon", tue: "Tue", wed: "Wed", thu: "Thu", fri: "Fri", sat: "Sat", sun: "Sun" };
const daysOf = (days: readonly string[]) =>
  days.length === 7 ? "every day" : days.map((day) => DAYS[day as keyof typeof DAYS]).join(", ");

export const reportEn: ReportWords = {
  title: ({ week, figures }, { share }) =>
    `Week ${week}: ${share(figures.success.rate)} of requests answered, ${share(figures.capacity.rate)} of attempts found no room`,
  parts: [
    {
      heading: "The week",
      lines({ figures, before }, { cell, number, share }) {
        const was = (value: string | null) => (value === null ? "" : `, the week before ${value}`);
        return [
          `${number(figures.requests)} requests in ${number(figures.attempts)} attempts${was(before && number(before.requests))}.`,
          `Answered: ${cell(figures.success)}${was(before && share(before.success.rate))}.`,
          `Attempts without room: ${cell(figures.capacity)}${was(before && share(before.capacity.rate))}.`,
          `Requests that ended without room: ${cell(figures.requestCapacity)}${was(before && share(before.requestCapacity.rate))}.`,
          `Retries: ${number(figures.retries)}${was(before && number(before.retries))}.`,
        ];
      },
    },
    {
      heading: "Fallbacks",
      lines({ figures, degradations }, { cell, number, share, target }) {
        if (degradations.length === 0) return [];
        return [
          `Answered by a later target of the chain: ${cell(figures.degraded)}.`,
          ...degradations.map(({ chain, degraded, answered, before, by }) => {
            const who = by.slice(0, 2).map((one) => `${target(one)} ${number(one.degraded)}`);
            const was = before === null ? "" : `, the week before ${share(before)}`;
            return `${chain}: ${number(degraded)} of ${number(answered)} (${share(answered === 0 ? null : degraded / answered)}${was})${who.length === 0 ? "" : `, by ${who.join(", ")}`}.`;
          }),
        ];
      },
    },
    {
      heading: "Episodes",
      lines({ episodes }, { number, minutes, share, target, day }) {
        const { count, countBefore, minutesBefore } = episodes;
        if (count === 0 && countBefore === 0) return ["None, this week and the week before."];
        return [
          `${number(count)}, ${minutes(episodes.minutes)} in all; the week before ${number(countBefore)}, ${minutes(minutesBefore)}.`,
          ...episodes.longest.map(
            (one) =>
              `${target(one)}, ${day(one.openedAt)}: ${minutes(one.minutes)}${one.goesOn ? " so far" : ""}, ${share(one.peak)} at worst.`,
          ),
        ];
      },
    },
    {
      heading: "Hours",
      lines({ bestHours: best, worstHours: worst }, { cell }) {
        if (best === null || worst === null) return [];
        return [
          `Worst: ${worst.from}–${worst.to}, ${cell(worst.capacity)}.`,
          `Best: ${best.from}–${best.to}, ${cell(best.capacity)}.`,
        ];
      },
    },
    {
      heading: "Advice taken",
      lines({ advice, plans }, { share, number, target, day }) {
        return [
          ...advice.map((one) => {
            const windows = one.windows
              .map(({ days, from, to }) => `${daysOf(days)} ${from}–${to}`)
              .join("; ");
            const before =
              one.shareInsideBefore === null ? "" : ` (${share(one.shareInsideBefore)} the week before)`;
            return `${target(one)}, advised ${windows}: ${share(one.shareInside)} of attempts ran then${before}; ${share(one.inside.rate)} found no room there, ${share(one.outside.rate)} outside. That spared about ${number(one.spared)} failures.`;
          }),
          ...plans.map(
            ({ version, publishedAt, by, reason, degradedBefore, degradedSince }) =>
              `Plan ${version}, ${day(publishedAt)} by ${by}${reason === null ? "" : ` (“${reason}”)`}: fallbacks ${share(degradedBefore.rate)} before, ${share(degradedSince.rate)} since.`,
          ),
        ];
      },
    },
    {
      heading: "Quota, keys and permissions",
      lines: ({ trouble }, { number, outcome, target }) =>
        trouble
          .slice(0, 8)
          .map(
            (one) =>
              `${target(one)}: ${number(one.attempts)} attempts ended as “${outcome(one.outcome).name}” (${number(one.before)} the week before).`,
          ),
    },
    { heading: "Change quota or order?", lines: sayVerdicts },
  ],
};

function sayVerdicts({ quota, order }: ReportDocument, { share, outcome, target }: ReportTongue): string[] {
  return [
    ...(quota.verdict === "fine"
      ? ["Quota: no. Your own limits refuse hardly any call."]
      : quota.reasons.map(
          (one) =>
            `Quota: yes, raise it for ${target(one)}: ${share(one.share)} of attempts ended as “${outcome(one.outcome).name}”.`,
        )),
    ...(order.verdict === "change"
      ? order.reasons.map(
          ({ chain, order: models, firstTry, firstTryAdvised }) =>
            `Order: yes, in ${chain} ask ${models.join(" → ")}: ${share(firstTryAdvised)} of first attempts would be answered instead of ${share(firstTry)}.`,
        )
      : [
          order.verdict === "fine"
            ? "Order: no. No other order would be worth more."
            : "Order: not known yet; there are too few calls.",
        ]),
  ];
}
