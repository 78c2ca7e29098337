import type { Impact, LocalText, NoteState, StatusState } from "../../contract/status.ts";
import type { RangeName } from "../measure/bars.ts";
import { en } from "./en.ts";
import { zh } from "./zh.ts";

export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

export interface NamedState {
  readonly name: string;
  readonly state: StatusState;
}

/** Everything that the page, the feeds and the badge say by themselves, for people who know nothing of providers. */
export interface StatusWords {
  /** Of the `lang` attribute. */
  readonly tag: string;
  readonly title: (name: string) => string;
  readonly state: Readonly<Record<StatusState, string>>;
  readonly hint: Readonly<Record<StatusState, string>>;
  /** Within a sentence. */
  readonly was: Readonly<Record<StatusState, string>>;
  readonly headline: {
    readonly nothing: string;
    readonly all: string;
    readonly noTrouble: string;
    readonly noData: string;
    /** One or two in trouble. */
    readonly some: (named: readonly NamedState[]) => string;
    readonly many: (count: number, all: number) => string;
    readonly rest: string;
    readonly restKnown: string;
  };
  readonly asOf: (time: string) => string;
  readonly since: (when: string) => string;
  readonly range: {
    readonly label: string;
    readonly names: Readonly<Record<RangeName, string>>;
    readonly start: Readonly<Record<RangeName, string>>;
    readonly end: Readonly<Record<RangeName, string>>;
    readonly bar: Readonly<Record<RangeName, string>>;
    readonly barsOf: (name: string, range: string) => string;
  };
  readonly components: string;
  readonly legend: string;
  readonly legendGap: string;
  readonly available: (share: string) => string;
  readonly nothingKnown: string;
  readonly calls: (count: string) => string;
  readonly said: string;
  /** `1 h 15 min` */
  readonly duration: (minutes: number) => string;
  readonly slot: (label: string, parts: readonly string[]) => string;
  readonly part: (state: string, duration: string) => string;
  readonly whole: (state: string) => string;
  readonly soFar: string;
  readonly hours: {
    readonly title: string;
    readonly weekdays: string;
    readonly weekend: string;
    readonly everyDay: string;
    readonly span: (from: string, to: string) => string;
    readonly allDay: string;
    readonly usually: (when: readonly string[]) => string;
    readonly and: (parts: readonly string[]) => string;
    readonly on: (days: string, spans: string) => string;
    readonly quiet: string;
    readonly changing: string;
    readonly learning: string;
    readonly cell: Readonly<Record<"gap" | "quiet" | "busy" | "veryBusy" | "unavailable", string>>;
    readonly caption: (name: string, zone: string) => string;
    readonly hour: string;
  };
  readonly open: string;
  readonly planned: string;
  readonly history: string;
  readonly historyNote: (days: number) => string;
  readonly quietDay: string;
  readonly quietTime: (days: number) => string;
  readonly earlier: string;
  readonly noteState: Readonly<Record<NoteState, string>>;
  readonly impact: Readonly<Record<Impact, string>>;
  readonly touches: (names: readonly string[]) => string;
  readonly between: (from: string, to: string) => string;
  readonly spell: {
    readonly title: (name: string, state: string) => string;
    readonly open: (hint: string) => string;
    readonly over: (duration: string) => string;
    readonly line: (from: string, to: string, duration: string) => string;
    readonly lineOpen: (from: string) => string;
  };
  readonly maintenance: string;
  readonly zone: { readonly label: string; readonly hint: string; readonly submit: string };
  readonly language: string;
  readonly feeds: string;
  readonly method: (times: string) => string;
  readonly preview: string;
  readonly previewPublic: string;
  readonly notFound: { readonly title: string; readonly text: string };
  readonly locale: string;
}

const WORDS: Readonly<Record<Language, StatusWords>> = { en, zh };

export const wordsOf = (language: Language): StatusWords => WORDS[language];

/** A text in the language of the page, or in the other one where it was not written in this. */
export function pick(
  text: LocalText,
  language: Language,
): { readonly text: string; readonly language: Language } {
  if (text[language] !== "") return { text: text[language], language };
  const other = language === "en" ? "zh" : "en";
  return { text: text[other], language: text[other] === "" ? language : other };
}
