import { listOpen } from "./kept-slots.ts";
import { type Detector, type DetectorState, type SilentState, SLOT_MS } from "./types.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
const WEEK_HOURS = 168;
/** 1970-01-01 was a Thursday; the week begins on Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const UNSEEN = -1;
/** What the last week counts beside all before it. */
const NEWEST = 0.4;
/** An hour in which events are expected had them in most of the last weeks. */
const EXPECTED_FROM = 0.6;
/** Who has been silent for so long is gone, not silent. */
const GONE_AFTER_MS = 7 * DAY_MS;

const EMPTY: SilentState = {
  kind: "silent",
  lastMs: null,
  hours: new Array<number>(WEEK_HOURS).fill(UNSEEN),
};

/**
 * What used to send events sends none any more. Only hours count in which it usually sends, as do those around them, so
 * that nights and weekends without traffic are no silence; from a day on the plain time counts.
 *
 * @see docs/how-rules-judge.md#silence
 */
export function createSilent({ forMinutes }: { forMinutes: number }): Detector {
  const forMs = forMinutes * MINUTE_MS;
  const goneMs = Math.max(GONE_AFTER_MS, 2 * forMs);
  return {
    start: EMPTY,
    lookbackMs: 2 * WEEK_MS,
    advance(state, slot) {
      return slot.k > 0 || slot.n > 0 ? learn(asSilent(state), slot.startMs) : state;
    },
    judge(state, open, _usual, nowMs) {
      const silent = asSilent(state);
      const hasOpen = listOpen(open).length > 0;
      const { lastMs } = silent;
      if (hasOpen || lastMs === null || nowMs - lastMs > goneMs) {
        return { verdict: "clear", sinceMs: null, k: 0, n: 0, value: hasOpen ? 0 : null, usual: null };
      }
      const quietMs = Math.max(0, nowMs - lastMs);
      const countedMs = forMs >= DAY_MS ? quietMs : countExpected(silent, lastMs, nowMs, forMs);
      const fires = countedMs >= forMs;
      return {
        // Only events end it: at night it is as silent as before.
        verdict: fires ? "fires" : quietMs >= forMs ? "holds" : "clear",
        sinceMs: quietMs >= forMs ? lastMs : null,
        k: 0,
        n: 0,
        value: Math.floor(quietMs / MINUTE_MS),
        usual: null,
      };
    },
  };
}

/** Hours are noted when events come again, so that a silence is judged by what was usual before it. */
function learn(state: SilentState, startMs: number): SilentState {
  const { lastMs } = state;
  if (lastMs !== null && startMs < lastMs) return state;
  const seen = { ...state, lastMs: startMs + SLOT_MS };
  if (lastMs === null) return seen;
  const [fromMs, toMs] = [hourOf(lastMs - 1), hourOf(startMs)];
  return fromMs === toMs ? seen : { ...seen, hours: noteHours(state.hours, fromMs, toMs) };
}

/** The first hour had events, those after it none; of a long time only the last week is noted. */
function noteHours(before: readonly number[], fromMs: number, toMs: number): number[] {
  const hours = [...before];
  const note = (atMs: number, had: number) => {
    const at = hourOfWeek(atMs);
    const old = hours[at] ?? UNSEEN;
    hours[at] = old === UNSEEN ? had : Math.round(100 * ((1 - NEWEST) * old + NEWEST * had)) / 100;
  };
  note(fromMs, 1);
  for (let at = Math.max(fromMs + HOUR_MS, toMs - WEEK_MS); at < toMs; at += HOUR_MS) note(at, 0);
  return hours;
}

/** How much of the time was in hours that usually have events; counting ends at `enoughMs`. */
function countExpected(state: SilentState, fromMs: number, toMs: number, enoughMs: number): number {
  let counted = 0;
  for (let at = fromMs; at < toMs && counted < enoughMs; ) {
    const end = Math.min(toMs, hourOf(at) + HOUR_MS);
    if ([-1, 0, 1].every((step) => isExpected(state, hourOfWeek(at + step * HOUR_MS)))) counted += end - at;
    at = end;
  }
  return counted;
}

/**
 * In its first weeks a source is expected to do at an hour what it did at that hour of other days of the kind, weekdays
 * or weekend; where none was seen, nothing is expected.
 */
function isExpected({ hours }: SilentState, hourOfTheWeek: number): boolean {
  const own = hours[hourOfTheWeek] ?? UNSEEN;
  if (own !== UNSEEN) return own >= EXPECTED_FROM;
  const isAlike = (at: number) =>
    at % 24 === hourOfTheWeek % 24 && isWeekend(at) === isWeekend(hourOfTheWeek);
  const alike = hours.filter((seen, at) => seen !== UNSEEN && isAlike(at));
  return alike.length > 0 && alike.reduce((sum, seen) => sum + seen, 0) >= EXPECTED_FROM * alike.length;
}

function isWeekend(hourOfTheWeek: number): boolean {
  return hourOfTheWeek >= 5 * 24;
}

function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS;
}

function hourOfWeek(ms: number): number {
  return Math.floor((((ms - FIRST_MONDAY_MS) % WEEK_MS) + WEEK_MS) / HOUR_MS) % WEEK_HOURS;
}

function asSilent(state: DetectorState): SilentState {
  return state.kind === "silent" ? state : EMPTY;
}
