import type { Impact, LocalText, NoteState, StatusWord } from "../../contract/status.ts";
import { AVAILABLE, BUSY, type Level, UNAVAILABLE, VERY_BUSY } from "../measure/level.ts";
import { MAINTENANCE, type SaidStretch } from "../measure/quarter-levels.ts";

export interface NoteUpdate {
  readonly id: string;
  readonly state: NoteState;
  readonly body: LocalText;
  readonly atMs: number;
}

/** What the team wrote about trouble or maintenance. */
export interface Note {
  readonly id: string;
  readonly kind: "incident" | "maintenance";
  readonly impact: Impact;
  readonly title: LocalText;
  readonly componentIds: readonly string[];
  readonly startsAtMs: number;
  /** Of a maintenance, when it is to be over; else `null`. */
  readonly endsAtMs: number | null;
  readonly createdAtMs: number;
  /** Ascending; at least one. */
  readonly updates: readonly NoteUpdate[];
}

export interface NoteNow {
  readonly state: NoteState;
  /** Nothing is to be done about it any more. */
  readonly isOver: boolean;
  /** When it was over, or `null`. */
  readonly overAtMs: number | null;
}

/**
 * Where a note stands. A maintenance that was only announced begins and ends by its times, so that nobody must be awake
 * to say so; once the team has said that it goes on, the team says when it is over.
 */
export function judgeNote({ kind, startsAtMs, endsAtMs, updates }: Note, nowMs: number): NoteNow {
  const last = updates.at(-1);
  const state = last?.state ?? "investigating";
  if (state === "resolved" || state === "completed")
    return { state, isOver: true, overAtMs: last?.atMs ?? startsAtMs };
  if (kind === "maintenance" && state === "scheduled" && endsAtMs !== null) {
    if (nowMs >= endsAtMs) return { state: "completed", isOver: true, overAtMs: endsAtMs };
    if (nowMs >= startsAtMs) return { state: "in_progress", isOver: false, overAtMs: null };
  }
  return { state, isOver: false, overAtMs: null };
}

/** Whether it is going on, as opposed to over or only planned. */
export function isUnderWay(note: Note, nowMs: number): boolean {
  return !judgeNote(note, nowMs).isOver && note.startsAtMs <= nowMs;
}

const LEVEL_OF_IMPACT: Readonly<Record<Impact, Level>> = {
  none: AVAILABLE,
  minor: BUSY,
  major: VERY_BUSY,
  critical: UNAVAILABLE,
};

const LEVEL_OF_WORD: Readonly<Record<StatusWord, number>> = {
  available: AVAILABLE,
  busy: BUSY,
  veryBusy: VERY_BUSY,
  unavailable: UNAVAILABLE,
  maintenance: MAINTENANCE,
};

/** What was said of a component, from when to when; `toMs` null: it holds. */
export interface SaidWord {
  readonly word: StatusWord;
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** When the team said what of a component, by words and by notes, up to now. */
export function listSaid(
  componentId: string,
  words: readonly SaidWord[],
  notes: readonly Note[],
  nowMs: number,
): SaidStretch[] {
  const byWords = words.map(({ word, fromMs, toMs }) => ({
    fromMs,
    toMs: toMs ?? nowMs,
    level: LEVEL_OF_WORD[word],
  }));
  const byNotes = notes
    .filter((note) => note.componentIds.includes(componentId) && note.startsAtMs < nowMs)
    .map((note) => ({
      fromMs: note.startsAtMs,
      toMs: judgeNote(note, nowMs).overAtMs ?? nowMs,
      level: note.kind === "maintenance" ? MAINTENANCE : LEVEL_OF_IMPACT[note.impact],
    }));
  return [...byWords, ...byNotes].filter(({ fromMs, toMs }) => fromMs < toMs);
}

/** What the team says of a component now: the worst of its word and of notes under way; `null`: nothing. */
export function saidNow(
  componentId: string,
  words: readonly SaidWord[],
  notes: readonly Note[],
  nowMs: number,
): { readonly level: number; readonly sinceMs: number } | null {
  const holding = [
    ...words
      .filter(({ toMs }) => toMs === null)
      .map(({ word, fromMs }) => ({ level: LEVEL_OF_WORD[word], sinceMs: fromMs })),
    ...notes
      .filter((note) => note.componentIds.includes(componentId) && isUnderWay(note, nowMs))
      .map((note) => ({
        level: note.kind === "maintenance" ? MAINTENANCE : LEVEL_OF_IMPACT[note.impact],
        sinceMs: note.startsAtMs,
      })),
  ];
  return holding.sort((a, b) => b.level - a.level || a.sinceMs - b.sinceMs)[0] ?? null;
}
