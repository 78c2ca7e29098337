import { SEVERITIES, type Severity } from "../contract/alert-rule.ts";
import type { Locale } from "../contract/diagnosis.ts";
import type { Notice, TextNotice } from "../contract/notice.ts";
import { toLine } from "./cut.ts";
import { composeMessage } from "./message.ts";
import { createPhrases } from "./phrases.ts";
import { channelWordsOf } from "./words/words.ts";

/** More than so many lines of a kind say that there are more. */
const MOST_LINES = 12;

/** Signs that Markdown would take for its own. */
const flatten = (text: string) => toLine(text).replace(/[*`[\]]/g, "");

/**
 * One notice in place of many: which alerts are open at the end, which are over, and what else was said.
 *
 * @param notices in the order in which they were written, at least one
 */
export function sumUp(notices: readonly [Notice, ...Notice[]], zone: string): TextNotice {
  const last = notices[notices.length - 1] ?? notices[0];
  const states = new Map<string, Notice>();
  const texts: TextNotice[] = [];
  for (const notice of notices) {
    if (notice.kind === "text") texts.push(notice);
    else {
      // The latest word on an alert stands where its last notice stood.
      states.delete(notice.dedupeKey);
      states.set(notice.dedupeKey, notice);
    }
  }
  const weigh = ({ severity }: Notice) => SEVERITIES.indexOf(severity);
  const open = [...states.values()]
    .filter(({ event }) => event !== "resolved")
    .sort((a, b) => weigh(a) - weigh(b));
  const over = [...states.values()].filter(({ event }) => event === "resolved");
  const severity: Severity = open[0]?.severity ?? "info";

  const word = (locale: Locale) => {
    const words = channelWordsOf(locale);
    const { moment } = createPhrases(locale, zone);
    const title = (notice: Notice) => {
      const composing = { locale, zone, publicUrl: "", nowMs: Date.parse(notice.at), mayRepeat: false };
      const message = composeMessage(notice, composing);
      return `${message.mark} ${flatten(message.title)}`;
    };
    const lines = (some: readonly Notice[]) => [
      ...some.slice(0, MOST_LINES).map(title),
      ...(some.length > MOST_LINES ? [words.list(["…"], some.length - MOST_LINES)] : []),
    ];
    const digest = words.digest({
      count: notices.length,
      open: { count: open.length, lines: lines(open) },
      over: { count: over.length, lines: lines(over) },
      texts: lines(texts),
      from: moment(notices[0].at),
      to: moment(last.at),
    });
    return digest;
  };
  return {
    kind: "text",
    event: "digest",
    project: last.project,
    severity,
    text: { en: word("en"), zh: word("zh") },
    data: { notices: notices.length },
    at: last.at,
    view: (open[0] ?? last).view,
  };
}
