import { EXPLANATIONS, type Outcome } from "@busyhour/sdk";
import type {
  AttemptsStep,
  Cause,
  ConcurrencyStep,
  DiagnosisStep,
  ElsewhereStep,
  KindStep,
  Locale,
  Remedy,
  ScopeStep,
  StepName,
  TrafficStep,
} from "../../contract/diagnosis.ts";
import type { Cell } from "../../contract/share.ts";
import type { Findings } from "../finding.ts";
import { wordsEn } from "./en.ts";
import { wordsZh } from "./zh.ts";

/** Numbers as a language writes them, and what the sentences have in common. */
export interface Tongue {
  /** 0.123 → `12.3 %` */
  share(value: number | null): string;
  number(value: number, digits?: number): string;
  /** `12.3 % (37 of 301)` */
  cell(cell: Cell): string;
  /** An outcome's name and what to do about it. */
  outcome(outcome: Outcome): { readonly name: string; readonly doNow: string };
  /** A stretch of hours on the zone's wall, with its date. */
  time(fromIso: string, toIso: string): string;
  target(target: { readonly provider: string; readonly model: string; readonly endpoint: string }): string;
}

type Unsaid<T extends DiagnosisStep> = Omit<T, "asks" | "says">;

/** What a remedy's sentence is made of. */
export interface Occasion {
  readonly findings: Findings;
  readonly recoveryMinutes: number | null;
}

/** The catalogue of one language. */
export interface DiagnosisWords {
  kind(step: Unsaid<KindStep>, tongue: Tongue): string;
  traffic(step: Unsaid<TrafficStep>, tongue: Tongue): string;
  attempts(step: Unsaid<AttemptsStep>, tongue: Tongue): string;
  concurrency(step: Unsaid<ConcurrencyStep>, tongue: Tongue): string;
  scope(step: Unsaid<ScopeStep>, tongue: Tongue): string;
  elsewhere(step: Unsaid<ElsewhereStep>, tongue: Tongue): string;
  readonly asks: Readonly<Record<StepName, string>>;
  readonly causes: Readonly<Record<Cause, string>>;
  readonly sentence: (name: string, cell: string, usual: string, cause: string) => string;
  readonly everyModel: string;
  readonly toDo: string;
  readonly remedies: Readonly<Record<Remedy, (occasion: Occasion, tongue: Tongue) => string>>;
  readonly counts: (k: string, n: string) => string;
  readonly noCalls: string;
}

const WORDS: Readonly<Record<Locale, DiagnosisWords>> = { en: wordsEn, zh: wordsZh };
const TAGS: Readonly<Record<Locale, string>> = { en: "en", zh: "zh-CN" };

export function wordsOf(locale: Locale): DiagnosisWords {
  return WORDS[locale];
}

export function createTongue(locale: Locale, zone: string): Tongue {
  const tag = TAGS[locale];
  const words = WORDS[locale];
  const moment = new Intl.DateTimeFormat(tag, {
    timeZone: zone,
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const number = (value: number, digits = 0) =>
    value.toLocaleString(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const share = (value: number | null) =>
    value === null ? words.noCalls : `${number(value * 100, 1)}${locale === "zh" ? "%" : " %"}`;
  return {
    share,
    number,
    cell: ({ rate, k, n }) =>
      rate === null ? words.noCalls : `${share(rate)}${words.counts(number(k), number(n))}`,
    outcome: (outcome) => EXPLANATIONS[locale][outcome],
    time: (fromIso, toIso) => moment.formatRange(new Date(fromIso), new Date(toIso)),
    target: ({ model, endpoint }) => (endpoint === "" ? model : `${model} (${endpoint})`),
  };
}
