import type { DeliveryCode } from "../../contract/channel.ts";
import type { Locale } from "../../contract/diagnosis.ts";
import { channelWordsEn } from "./en.ts";
import { channelWordsZh } from "./zh.ts";

export interface TextOf {
  readonly title: string;
  readonly markdown: string;
}

/** The catalogue of one language: what channels say. */
export interface ChannelWords {
  firing(where: string, what: string): string;
  reminder(where: string, what: string): string;
  acknowledged(where: string, what: string, who: string | null): string;
  resolved(where: string, lasted: string): string;
  /** Parts of a line; `null` is left out. */
  summary(parts: readonly (string | null)[]): string;
  since(moment: string): string;
  from(from: string, to: string, lasted: string): string;
  usual(value: string): string;
  peak(value: string): string;
  alsoShort(list: string): string;
  late(moment: string): string;
  readonly mayRepeat: string;
  readonly open: string;
  footer(project: string): string;

  /** `12.3 %` of attempts, with the outcome's name. */
  share(outcome: string, share: string, of: "attempts" | "requests"): string;
  count(outcome: string, k: string, n: string, of: "attempts" | "requests"): string;
  readonly manyOutcomes: string;
  readonly degradedName: string;
  degraded(share: string): string;
  readonly amplifiedName: string;
  amplified(perRequest: string): string;
  amplifiedCounts(attempts: string, requests: string): string;
  readonly silentName: string;
  silent(minutes: number, duration: string): string;
  counts(k: string, n: string, of: "attempts" | "requests"): string;

  readonly everything: string;
  source(name: string): string;
  chain(name: string): string;
  ofProvider(name: string): string;
  list(parts: readonly string[], more: number): string;
  minutes(minutes: number): string;
  askInOrder(list: string): string;

  readonly names: Readonly<
    Record<
      | "what"
      | "where"
      | "folded"
      | "howBad"
      | "usual"
      | "peak"
      | "since"
      | "cause"
      | "doNow"
      | "rule"
      | "note",
      string
    >
  >;
  /** Of the usual rules; people's own names are theirs. */
  ruleName(name: string): string;
  readonly test: TextOf;
  broken(channel: string, hint: string, since: string, waiting: number): TextOf;
  digest(parts: {
    readonly count: number;
    readonly open: { readonly count: number; readonly lines: readonly string[] };
    readonly over: { readonly count: number; readonly lines: readonly string[] };
    readonly texts: readonly string[];
    readonly from: string;
    readonly to: string;
  }): TextOf;
  /** What a failed delivery means, and what to do. */
  readonly hints: Readonly<Record<DeliveryCode, string>>;
}

const WORDS: Readonly<Record<Locale, ChannelWords>> = { en: channelWordsEn, zh: channelWordsZh };

export function channelWordsOf(locale: Locale): ChannelWords {
  return WORDS[locale];
}
