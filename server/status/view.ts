import type { LocalText, StatusState } from "../contract/status.ts";
import { type ComponentNow, isTrouble } from "./component-state.ts";
import type { RangeName } from "./measure/bars.ts";
import type { UsualHours } from "./measure/busy-hours.ts";
import type { ComponentSnapshot, PageSnapshot } from "./snapshot.ts";
import { type Language, pick, type StatusWords } from "./words/words.ts";

/** What a reader asked for. */
export interface View {
  readonly language: Language;
  readonly zone: string;
  readonly range: RangeName;
}

/** Where a page is and what its links keep. */
export interface Place {
  /** Of the page, without a slash at its end. */
  readonly url: string;
  /** Kept in every link of the page, as `name=value` parts. */
  readonly kept: Readonly<Record<string, string>>;
  readonly isPreview: boolean;
  readonly usualHours: (component: ComponentSnapshot) => UsualHours | null;
}

export const nameOf = (name: LocalText, language: Language): string => pick(name, language).text;

/** The whole page in one sentence, and what is to be said of the rest. */
export interface Headline {
  readonly state: StatusState;
  readonly text: string;
  readonly rest: string | null;
}

const ORDER: readonly StatusState[] = [
  "noData",
  "available",
  "maintenance",
  "busy",
  "veryBusy",
  "unavailable",
];
/** So many are named; of more it is said how many. */
const MOST_NAMED = 2;

export function makeHeadline(
  components: PageSnapshot["components"],
  language: Language,
  words: StatusWords,
): Headline {
  const { headline } = words;
  const notable = components
    .filter(({ now }) => isTrouble(now) || now.state === "maintenance")
    .sort((a, b) => ORDER.indexOf(b.now.state) - ORDER.indexOf(a.now.state));
  const others = components.filter((one) => !notable.includes(one));
  const areKnown = others.every(({ now }) => now.state !== "noData");
  const [worst] = notable;
  if (worst === undefined) {
    if (components.length === 0) return { state: "noData", text: headline.nothing, rest: null };
    if (areKnown) return { state: "available", text: headline.all, rest: null };
    const isAnyKnown = others.some(({ now }) => now.state === "available");
    return isAnyKnown
      ? { state: "available", text: headline.noTrouble, rest: null }
      : { state: "noData", text: headline.noData, rest: null };
  }
  const { state } = worst.now;
  const rest = others.length === 0 ? null : areKnown ? headline.rest : headline.restKnown;
  if (notable.length > MOST_NAMED)
    return { state, text: headline.many(notable.length, components.length), rest };
  const named = notable.map(({ name, now }) => ({ name: nameOf(name, language), state: now.state }));
  return { state, text: headline.some(named), rest };
}

/** When what a page tells of last changed. */
export function lastChangeMs({ components, notes, savedAtMs, asOfMs }: PageSnapshot): number {
  const changes = [
    ...components.flatMap(({ changedAtMs, spells }) => [
      changedAtMs,
      ...spells.slice(0, 1).map(({ fromMs, toMs, isOpen }) => (isOpen ? fromMs : toMs)),
    ]),
    ...notes.flatMap(({ updates }) => updates.map(({ atMs }) => atMs)),
  ];
  return changes.reduce((last, ms) => (ms <= asOfMs ? Math.max(last, ms) : last), savedAtMs);
}

export type { ComponentNow };
