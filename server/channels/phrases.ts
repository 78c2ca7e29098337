import { EXPLANATIONS, OUTCOMES, type Outcome } from "@busyhour/sdk";
import type { Cause, Locale } from "../contract/diagnosis.ts";
import type { AlertNotice } from "../contract/notice.ts";
import { wordsOf } from "../diagnosis/words/words.ts";
import { channelWordsOf } from "./words/words.ts";

/** Parts of sentences about an alert, in one language and zone. */
export interface Phrases {
  moment(iso: string): string;
  duration(fromIso: string, toIso: string): string;
  subject(subject: AlertNotice["subject"]): string;
  /** Names of what went wrong. */
  outcomes(notice: AlertNotice): string;
  /** What went wrong and how much of it. */
  what(notice: AlertNotice): string;
  /** The measured value with its counts. */
  howBad(notice: AlertNotice): string;
  /** A value of the notice's measure. */
  value(notice: AlertNotice, value: number): string;
  cause(cause: AlertNotice["cause"]): string | null;
  doNow(notice: AlertNotice): string | null;
  list(parts: readonly string[], most: number): string;
}

const TAGS: Readonly<Record<Locale, string>> = { en: "en-GB", zh: "zh-CN" };
/** Of fewer calls a percentage says less than the counts. */
const FEW_CALLS = 20;
const MOST_NAMES = 3;
const MOST_TARGETS = 5;

export function createPhrases(locale: Locale, zone: string): Phrases {
  const words = channelWordsOf(locale);
  const clock = new Intl.DateTimeFormat(TAGS[locale], {
    timeZone: zone,
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  });
  const number = (value: number, digits = 0) =>
    value.toLocaleString(TAGS[locale], { maximumFractionDigits: digits });
  const share = (value: number) => `${number(value * 100, 1)}${locale === "zh" ? "%" : " %"}`;
  const nameOf = (outcome: string) => (isOutcome(outcome) ? EXPLANATIONS[locale][outcome].name : outcome);
  const duration = (minutes: number) => words.minutes(Math.max(0, Math.round(minutes)));

  const phrases: Phrases = {
    moment: (iso) => clock.format(new Date(iso)),
    duration: (fromIso, toIso) => duration((Date.parse(toIso) - Date.parse(fromIso)) / 60_000),
    subject: (subject) => {
      const { provider, model, endpoint, source, chain } = subject;
      const parts = [
        ...(model === undefined ? [] : [endpoint ? `${model} (${endpoint})` : model]),
        ...(model === undefined && provider !== undefined ? [words.ofProvider(provider)] : []),
        ...(source === undefined ? [] : [words.source(source)]),
        ...(chain === undefined ? [] : [words.chain(chain)]),
      ];
      return parts.length === 0 ? words.everything : parts.join(", ");
    },
    outcomes: ({ of, outcomes }) => {
      if (of === "degraded") return words.degradedName;
      if (of === "amplification") return words.amplifiedName;
      if (of === "events") return words.silentName;
      return outcomes.length === 0 || outcomes.length > MOST_NAMES
        ? words.manyOutcomes
        : words.list(outcomes.map(nameOf), 0);
    },
    what: (notice) => {
      const { of, value, k, n } = notice;
      if (of === "events") return words.silent(value ?? 0, duration(value ?? 0));
      if (of === "amplification") return words.amplified(number(value ?? 0, 1));
      if (of === "degraded") return words.degraded(share(value ?? 0));
      const outcome = phrases.outcomes(notice);
      return value === null || n < FEW_CALLS
        ? words.count(outcome, number(k), number(n), of)
        : words.share(outcome, share(value), of);
    },
    howBad: (notice) => {
      const { of, value, k, n } = notice;
      if (of === "events") return duration(value ?? 0);
      if (of === "amplification")
        return `${words.amplified(number(value ?? 0, 1))} (${words.amplifiedCounts(number(k), number(n))})`;
      const counts = words.counts(number(k), number(n), of === "degraded" ? "requests" : of);
      return value === null ? counts : `${share(value)} (${counts})`;
    },
    value: ({ of }, value) => {
      if (of === "events") return duration(value);
      return of === "amplification" ? words.amplified(number(value, 1)) : share(value);
    },
    cause: (cause) => {
      const { causes } = wordsOf(locale);
      return cause !== null && cause.code in causes ? causes[cause.code as Cause] : null;
    },
    doNow: ({ order, outcomes }) => {
      if (order !== null && order.length > 0) return words.askInOrder(phrases.list(order, MOST_TARGETS));
      const [first] = outcomes;
      return first !== undefined && outcomes.length <= MOST_NAMES && isOutcome(first)
        ? EXPLANATIONS[locale][first].doNow
        : null;
    },
    list: (parts, most) => words.list(parts.slice(0, most), Math.max(0, parts.length - most)),
  };
  return phrases;
}

const isOutcome = (text: string): text is Outcome => (OUTCOMES as readonly string[]).includes(text);
