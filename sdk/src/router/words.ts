import type { Stage, TargetState } from "./types.ts";

interface Words {
  readonly switching: string;
  readonly queued: string;
  readonly degraded: string;
  readonly failed: string;
  readonly interrupted: string;
  readonly cancelled: string;
  readonly comeBackSoon: string;
  readonly comeBackIn: (wait: string) => string;
  readonly seconds: (count: number) => string;
  readonly minutes: (count: number) => string;
  readonly hours: (count: number) => string;
  readonly states: Readonly<Record<TargetState, string>>;
}

const EN: Words = {
  switching: "Many requests right now, switching lines for you…",
  queued: "Many requests right now. You are in the queue and will be served in a moment…",
  degraded: "Many requests right now, so this answer is from a simpler model.",
  failed:
    "This request could not be answered. Trying again will not help; please tell the people who run this service.",
  interrupted: "The answer broke off. Please try again.",
  cancelled: "The request was cancelled.",
  comeBackSoon: "Everybody is asking at once. Please try again in a few minutes.",
  comeBackIn: (wait) => `Everybody is asking at once. Please try again in about ${wait}.`,
  seconds: (count) => (count === 1 ? "a second" : `${count} seconds`),
  minutes: (count) => (count === 1 ? "a minute" : `${count} minutes`),
  hours: (count) => (count === 1 ? "an hour" : `${count} hours`),
  states: {
    ready: "Ready",
    busy: "Busy, answers may take longer",
    resting: "Taking a break",
    unavailable: "Not available",
  },
};

const ZH: Words = {
  switching: "当前请求较多，正在为您切换线路……",
  queued: "当前请求较多，您已进入队列，请稍候……",
  degraded: "当前请求较多，本次回答由精简模型提供。",
  failed: "这个请求无法完成，重试也无济于事，请联系服务方。",
  interrupted: "回答中断了，请重试。",
  cancelled: "请求已取消。",
  comeBackSoon: "现在使用的人太多了，请过几分钟再试。",
  comeBackIn: (wait) => `现在使用的人太多了，请约 ${wait}后再试。`,
  seconds: (count) => `${count} 秒`,
  minutes: (count) => `${count} 分钟`,
  hours: (count) => `${count} 小时`,
  states: { ready: "可用", busy: "繁忙，可能较慢", resting: "暂时休息", unavailable: "不可用" },
};

/** Words of one's own, by stage; what is left out is said in ours. */
export type UserMessages = {
  readonly [Kind in Stage["kind"]]?: string | ((stage: Extract<Stage, { kind: Kind }>) => string);
};

/**
 * What to tell the person who waits, without jargon.
 *
 * @param locale any BCP 47 tag: Chinese for `zh…`, else English
 * @param own texts that replace ours
 */
export function userMessage(stage: Stage, locale = "en", own: UserMessages = {}): string {
  const replaced = own[stage.kind] as string | ((stage: Stage) => string) | undefined;
  if (replaced !== undefined) return typeof replaced === "function" ? replaced(stage) : replaced;
  const words = wordsOf(locale);
  if (stage.kind !== "comeBack") return words[stage.kind];
  return stage.afterMs === null ? words.comeBackSoon : words.comeBackIn(formatWait(stage.afterMs, words));
}

export function describeState(state: TargetState, locale = "en"): string {
  return wordsOf(locale).states[state];
}

const wordsOf = (locale: string) => (/^zh\b/i.test(locale) ? ZH : EN);

/** Rounded up, and to what people say: 5 s steps below a minute, whole minutes below two hours. */
function formatWait(ms: number, words: Words): string {
  const seconds = Math.max(5, Math.ceil(ms / 5_000) * 5);
  if (seconds < 60) return words.seconds(seconds);
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? words.minutes(minutes) : words.hours(Math.ceil(minutes / 60));
}
