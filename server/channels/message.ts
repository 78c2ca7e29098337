import type { Severity } from "../contract/alert-rule.ts";
import type { Locale } from "../contract/diagnosis.ts";
import type { AlertNotice, Notice, TextNotice } from "../contract/notice.ts";
import { toLine } from "./cut.ts";
import { createPhrases, type Phrases } from "./phrases.ts";
import { channelWordsOf } from "./words/words.ts";

/** A fact with its name. */
export interface Fact {
  readonly name: string;
  readonly text: string;
}

/** A notice in a language: what each kind of channel lays out in its own way. Plain texts, nothing is escaped. */
export interface Message {
  readonly event: Notice["event"];
  readonly severity: Severity;
  /** One character by which the eye finds what it looks for. */
  readonly mark: string;
  /** What, where and how bad, in one line. */
  readonly title: string;
  /** Since when, how many, what is usual: one line; empty for what is no alert. */
  readonly summary: string;
  /** Everything, for readers with room. */
  readonly facts: readonly Fact[];
  readonly cause: string | null;
  readonly doNow: string | null;
  /** Of what is no alert: CommonMark without HTML. */
  readonly markdown: string | null;
  /** What the reader must know of the message itself. */
  readonly notes: readonly string[];
  readonly link: { readonly text: string; readonly url: string };
  readonly footer: string;
}

export interface Composing {
  readonly locale: Locale;
  /** IANA. */
  readonly zone: string;
  /** Where people reach the pages, without a slash at the end. */
  readonly publicUrl: string;
  readonly nowMs: number;
  /** An earlier try may have arrived. */
  readonly mayRepeat: boolean;
}

/** Told so much later than it was so, a message says so. */
const LATE_MS = 10 * 60_000;

/** Words a notice. */
export function composeMessage(notice: Notice, composing: Composing): Message {
  const { locale, nowMs, mayRepeat, publicUrl, zone } = composing;
  const words = channelWordsOf(locale);
  const phrases = createPhrases(locale, zone);
  const atMs = Date.parse(notice.at);
  const notes = [
    ...(nowMs - atMs >= LATE_MS && notice.event !== "digest" ? [words.late(phrases.moment(notice.at))] : []),
    ...(mayRepeat ? [words.mayRepeat] : []),
  ];
  const common = {
    event: notice.event,
    severity: notice.severity,
    notes,
    link: { text: words.open, url: toUrl(publicUrl, notice.view) },
    footer: words.footer(notice.project.name),
  };
  const composed =
    notice.kind === "text" ? composeText(notice, locale) : composeAlert(notice, locale, phrases);
  // No receiver takes a message without a title.
  return { ...common, ...composed, title: toLine(composed.title) || common.footer };
}

/** Longer ones are refused, or take the place of the message. */
const MOST_URL = 1_500;

/** Without what would end it where receivers look for its end. Always one of our own pages. */
function toUrl(publicUrl: string, view: string): string {
  const text = publicUrl + (view.startsWith("/") ? view : `/${view}`);
  if (!URL.canParse(text)) return publicUrl;
  const url = new URL(text).href.replace(/[()|*_~`'\\]/g, (sign) => SAFE[sign] ?? sign);
  return url.length > MOST_URL ? publicUrl : url;
}

const SAFE: Readonly<Record<string, string>> = Object.fromEntries(
  ["(", ")", "|", "*", "~", "`", "'", "\\"].map((sign) => [
    sign,
    `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  ]),
);

type Composed = Omit<Message, "event" | "severity" | "notes" | "link" | "footer">;

function composeText(notice: TextNotice, locale: Locale): Composed {
  const { title, markdown } = notice.text[locale] ?? notice.text.en ?? { title: "", markdown: "" };
  const mark = notice.severity === "info" ? "📋" : MARKS[notice.severity];
  return { mark, title, summary: "", facts: [], cause: null, doNow: null, markdown };
}

const MARKS: Readonly<Record<Severity, string>> = { critical: "🔴", warning: "🟠", info: "🔵" };

function composeAlert(notice: AlertNotice, locale: Locale, phrases: Phrases): Composed {
  const words = channelWordsOf(locale);
  const isOver = notice.event === "resolved";
  const where = phrases.subject(notice.subject);
  const howBad = phrases.howBad(notice);
  const cause = isOver ? null : phrases.cause(notice.cause);
  const advice = isOver ? null : phrases.doNow(notice);
  const doNow = advice === null ? null : toLine(advice);
  const lasted = isOver ? phrases.duration(notice.since, notice.endedAt ?? notice.at) : null;
  const titles = {
    firing: () => words.firing(where, phrases.what(notice)),
    reminder: () => words.reminder(where, phrases.what(notice)),
    acknowledged: () => words.acknowledged(where, phrases.what(notice), toLine(said?.by ?? "") || null),
    resolved: () => words.resolved(where, lasted ?? ""),
  };
  const since = isOver
    ? words.from(phrases.moment(notice.since), phrases.moment(notice.endedAt ?? notice.at), lasted ?? "")
    : words.since(phrases.moment(notice.since));
  const said = notice.acknowledged;
  const usual = notice.usual === null ? null : phrases.value(notice, notice.usual);
  const peak = notice.peak === null ? null : phrases.value(notice, notice.peak);
  const folded = notice.folded.map((one) => phrases.subject(one));
  const fact = (name: string, text: string | null): Fact[] =>
    text === null || text === "" ? [] : [{ name, text: toLine(text) }];
  return {
    mark: isOver ? "✅" : notice.event === "acknowledged" ? "👀" : MARKS[notice.severity],
    title: titles[notice.event](),
    summary: toLine(
      words.summary([
        said?.note ?? null,
        howBad,
        since,
        usual === null ? null : words.usual(usual),
        isOver && peak !== null ? words.peak(peak) : null,
        folded.length === 0 ? null : words.alsoShort(phrases.list(folded, 5)),
      ]),
    ),
    facts: [
      ...fact(words.names.note, said?.note ?? null),
      ...fact(words.names.what, phrases.outcomes(notice)),
      ...fact(words.names.where, where),
      ...fact(words.names.folded, folded.length === 0 ? null : phrases.list(folded, 20)),
      ...fact(words.names.howBad, howBad),
      ...fact(words.names.usual, usual),
      ...fact(words.names.peak, peak),
      ...fact(words.names.since, since),
      ...fact(words.names.cause, cause),
      ...fact(words.names.doNow, doNow),
      ...fact(words.names.rule, words.ruleName(notice.rule.name)),
    ],
    cause,
    doNow,
    markdown: null,
  };
}
