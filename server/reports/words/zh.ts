import type { ReportDocument } from "../../contract/report.ts";
import type { ReportTongue, ReportWords } from "./words.ts";

const DAYS = { mon: "周一", tue: "周二", wed: "周三", thu: "周四", fri: "周五", sat: "周六", sun: "周日" };
const daysOf = (days: readonly string[]) =>
  days.length === 7 ? "每天" : days.map((day) => DAYS[day as keyof typeof DAYS]).join("、");

export const reportZh: ReportWords = {
  title: ({ week, figures }, { share }) =>
    `${week} 周报：${share(figures.success.rate)} 的请求得到答复，${share(figures.capacity.rate)} 的尝试没有余量`,
  parts: [
    {
      heading: "本周",
      lines({ figures, before }, { cell, number, share }) {
        const was = (value: string | null) => (value === null ? "" : `，上周 ${value}`);
        return [
          `${number(figures.requests)} 个请求，${number(figures.attempts)} 次尝试${was(before && number(before.requests))}。`,
          `得到答复：${cell(figures.success)}${was(before && share(before.success.rate))}。`,
          `没有余量的尝试：${cell(figures.capacity)}${was(before && share(before.capacity.rate))}。`,
          `因没有余量而失败的请求：${cell(figures.requestCapacity)}${was(before && share(before.requestCapacity.rate))}。`,
          `重试：${number(figures.retries)} 次${was(before && number(before.retries))}。`,
        ];
      },
    },
    {
      heading: "降级",
      lines({ figures, degradations }, { cell, number, share, target }) {
        if (degradations.length === 0) return [];
        return [
          `由调用链中靠后的模型答复：${cell(figures.degraded)}。`,
          ...degradations.map(({ chain, degraded, answered, before, by }) => {
            const who = by.slice(0, 2).map((one) => `${target(one)} ${number(one.degraded)} 次`);
            const was = before === null ? "" : `，上周 ${share(before)}`;
            return `${chain}：${number(answered)} 次中的 ${number(degraded)} 次（${share(answered === 0 ? null : degraded / answered)}${was}）${who.length === 0 ? "" : `，由 ${who.join("、")}`}。`;
          }),
        ];
      },
    },
    {
      heading: "容量不足的时段",
      lines({ episodes }, { number, minutes, share, target, day }) {
        const { count, countBefore, minutesBefore } = episodes;
        if (count === 0 && countBefore === 0) return ["本周与上周都没有。"];
        return [
          `${number(count)} 段，共 ${minutes(episodes.minutes)}；上周 ${number(countBefore)} 段，共 ${minutes(minutesBefore)}。`,
          ...episodes.longest.map(
            (one) =>
              `${target(one)}，${day(one.openedAt)}：${one.goesOn ? "已 " : ""}${minutes(one.minutes)}，最高 ${share(one.peak)}。`,
          ),
        ];
      },
    },
    {
      heading: "时段",
      lines({ bestHours: best, worstHours: worst }, { cell }) {
        if (best === null || worst === null) return [];
        return [
          `最差：${worst.from}–${worst.to}，${cell(worst.capacity)}。`,
          `最好：${best.from}–${best.to}，${cell(best.capacity)}。`,
        ];
      },
    },
    {
      heading: "采纳的建议",
      lines({ advice, plans }, { share, number, target, day }) {
        return [
          ...advice.map((one) => {
            const windows = one.windows
              .map(({ days, from, to }) => `${daysOf(days)} ${from}–${to}`)
              .join("；");
            const before = one.shareInsideBefore === null ? "" : `（上周 ${share(one.shareInsideBefore)}）`;
            return `${target(one)}，建议时段 ${windows}：${share(one.shareInside)} 的尝试在其中${before}；其中 ${share(one.inside.rate)} 没有余量，其外 ${share(one.outside.rate)}。约少失败 ${number(one.spared)} 次。`;
          }),
          ...plans.map(
            ({ version, publishedAt, by, reason, degradedBefore, degradedSince }) =>
              `计划 ${version}，${day(publishedAt)}，${by}${reason === null ? "" : `（“${reason}”）`}：此前降级 ${share(degradedBefore.rate)}，此后 ${share(degradedSince.rate)}。`,
          ),
        ];
      },
    },
    {
      heading: "配额、密钥与权限",
      lines: ({ trouble }, { number, outcome, target }) =>
        trouble
          .slice(0, 8)
          .map(
            (one) =>
              `${target(one)}：${number(one.attempts)} 次尝试以“${outcome(one.outcome).name}”结束（上周 ${number(one.before)} 次）。`,
          ),
    },
    { heading: "要改配额或顺序吗？", lines: sayVerdicts },
  ],
};

function sayVerdicts({ quota, order }: ReportDocument, { share, outcome, target }: ReportTongue): string[] {
  return [
    ...(quota.verdict === "fine"
      ? ["配额：不必。自己的限额几乎没有拒绝调用。"]
      : quota.reasons.map(
          (one) =>
            `配额：应提高 ${target(one)} 的配额，${share(one.share)} 的尝试以“${outcome(one.outcome).name}”结束。`,
        )),
    ...(order.verdict === "change"
      ? order.reasons.map(
          ({ chain, order: models, firstTry, firstTryAdvised }) =>
            `顺序：${chain} 宜按 ${models.join(" → ")} 调用，首次即答复的比例将从 ${share(firstTry)} 升至 ${share(firstTryAdvised)}。`,
        )
      : [order.verdict === "fine" ? "顺序：不必。没有更好的顺序。" : "顺序：尚不可知，调用太少。"]),
  ];
}
