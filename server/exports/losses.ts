import type { Locale } from "../contract/diagnosis.ts";
import type { Loss } from "./format.ts";

const en: Readonly<Record<Loss, string>> = {
  schedule: "Orders for certain hours: write a file for each (--at), and change them by a timer.",
  avoid: "Hours in which a target is avoided.",
  otherChains: "The plan's other chains: one file holds one chain.",
  tiers: "Which targets are equally good.",
  quality: "What a target's answer is worth.",
  waits: "How waits grow and how long a request may wait in all.",
  attempts: "How many attempts a request may take.",
  concurrency: "How many calls may be under way at once.",
  requestsPerMinute: "How many requests a minute are sent.",
  accounts: "Which account pays.",
  endpoints: "The host or region of a target.",
  floor: "That the last link is never avoided.",
  keys: "Keys: put yours in place of the names of variables.",
  changes: "Windows that change with the advice: write it again now and then.",
  cronZone: "CRON_TZ, which some crons do not know: there, write the hours of the machine's own zone.",
  command: "What is to be run: put your command in its place.",
};

const zh: Readonly<Record<Loss, string>> = {
  schedule: "按时段的顺序：请用 --at 为每个时段各写一个文件，并用定时任务切换。",
  avoid: "避开某个目标的时段。",
  otherChains: "计划中的其他调用链：一个文件只含一条。",
  tiers: "哪些目标同样好。",
  quality: "目标答复的价值。",
  waits: "等待如何增长、一个请求总共可等多久。",
  attempts: "一个请求最多尝试几次。",
  concurrency: "同时进行的调用上限。",
  requestsPerMinute: "每分钟的请求上限。",
  accounts: "由哪个账户付费。",
  endpoints: "目标的主机或区域。",
  floor: "兜底目标永不被避开。",
  keys: "密钥：请用自己的密钥替换变量名。",
  changes: "随建议变化的时段：请不时重新导出。",
  cronZone: "有些 cron 不认识 CRON_TZ：请改写为本机时区的小时。",
  command: "要运行的命令：请换成自己的。",
};

const WORDS: Readonly<Record<Locale, Readonly<Record<Loss, string>>>> = { en, zh };

/** How a line of what is lost begins. */
export const NOT_IN_IT: Readonly<Record<Locale, string>> = { en: "not in it: ", zh: "不含：" };

export function describeLoss(loss: Loss, locale: Locale): string {
  return WORDS[locale][loss];
}
