import type { Locale } from "../../contract/diagnosis.ts";
import type { ReportDocument } from "../../contract/report.ts";
import { createTongue, type Tongue } from "../../diagnosis/words/words.ts";
import { reportEn } from "./en.ts";
import { reportZh } from "./zh.ts";

/** What the sentences of a report are made of. */
export interface ReportTongue extends Tongue {
  /** `1 h 25 min` */
  readonly minutes: (value: number) => string;
  readonly day: (iso: string) => string;
}

/** The catalogue of one language: each function makes the lines of one part, none where there is nothing to say. */
export interface ReportWords {
  readonly title: (report: ReportDocument, tongue: ReportTongue) => string;
  readonly parts: readonly {
    readonly heading: string;
    readonly lines: (report: ReportDocument, tongue: ReportTongue) => readonly string[];
  }[];
}

const WORDS: Readonly<Record<Locale, ReportWords>> = { en: reportEn, zh: reportZh };

export interface SaidReport {
  readonly title: string;
  readonly parts: { heading: string; lines: string[] }[];
  readonly markdown: string;
}

/** A report in words: parts with a heading and lines, and the same as one Markdown text. */
export function sayReport(report: ReportDocument, locale: Locale): SaidReport {
  const words = WORDS[locale];
  const tongue = createReportTongue(locale, report.zone);
  const parts = words.parts
    .map(({ heading, lines }) => ({ heading, lines: [...lines(report, tongue)] }))
    .filter(({ lines }) => lines.length > 0);
  const sections = parts.map(
    ({ heading, lines }) => `## ${heading}\n\n${lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n")}`,
  );
  return { title: words.title(report, tongue), parts, markdown: `${sections.join("\n\n")}\n` };
}

/** Names come from whoever sends events: none may make a link or a picture of itself. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|]/g, "\\$&").replaceAll(/[\r\n]+/g, " ");
}

function createReportTongue(locale: Locale, zone: string): ReportTongue {
  const tag = locale === "zh" ? "zh-CN" : "en";
  const day = new Intl.DateTimeFormat(tag, { timeZone: zone, month: "short", day: "numeric" });
  const [hour, minute] = locale === "zh" ? [" 小时 ", " 分钟"] : [" h ", " min"];
  return {
    ...createTongue(locale, zone),
    minutes(value) {
      const whole = Math.round(value);
      return whole < 60 ? `${whole}${minute}` : `${Math.floor(whole / 60)}${hour}${whole % 60}${minute}`;
    },
    day: (iso) => day.format(Date.parse(iso)),
  };
}
