import type { NowState } from "../../../../server/contract/now.ts";
import { nameApart } from "../../app/describe-scope.ts";
import type { Target } from "../../app/scope.ts";
import type { Messages } from "../../messages/en.ts";
import type { Formats } from "../../messages/formats.ts";
import type { HourRun, Outlook } from "./good-hours.ts";

export interface NamedState {
  readonly target: Target;
  readonly state: NowState;
}

/** One sentence on now: which models are short of capacity. */
export function describeNow(models: readonly NamedState[], { now }: Messages): string {
  const count = (state: NowState) => models.filter((model) => model.state === state).length;
  const names = nameApart(models.map(({ target }) => target));
  const short = names.filter((_, i) => models[i]?.state === "short");
  const isJudged = ({ state }: NamedState) => state !== "few" && state !== "silent";
  const judgedNames = models.filter(isJudged).map(({ target }) => target.model);
  const isPlain = new Set(judgedNames).size === judgedNames.length;
  const judged = short.length + count("tight") + count("room");
  if (judged === 0) return count("few") === 0 ? now.silentNow : now.fewNow;
  if (short.length > 2) return now.shortMany(short.length, judged, isPlain);
  if (short.length > 0) return now.short(short);
  return count("tight") === 0 ? now.noneShort(judged, isPlain) : now.noneShortSomeTight(count("tight"));
}

/** One sentence on when: the good hours ahead. */
export function describeOutlook(outlook: Outlook, { now }: Messages, formats: Formats): string {
  const span = ({ fromHourOfWeek, toHourOfWeek }: HourRun) =>
    now.span(formats.hour(fromHourOfWeek), formats.hour(toHourOfWeek));
  switch (outlook.kind) {
    case "unknown":
      return now.goodUnknown;
    case "allGood":
      return now.goodAlways;
    case "none":
      return now.goodNone(formats.hour(outlook.leastBusy), formats.share(outlook.rate));
    case "good": {
      const [first, second] = outlook.runs;
      if (!outlook.isNow || first === undefined) return now.goodNext(outlook.runs.map(span));
      const until = formats.hour(first.toHourOfWeek);
      return second === undefined ? now.goodNow(until) : now.goodNowAnd(until, span(second));
    }
  }
}
