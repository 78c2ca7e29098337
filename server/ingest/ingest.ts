import type { NameFailure } from "../classification/failure-namer.ts";
import type { IngestAnswer, Rejection, ReporterNote } from "../contract/attempt-event.ts";
import type { SourceWays } from "../sources/source-ways.ts";
import { EVENTS } from "../sources/way.ts";
import type { Attempt } from "./attempt.ts";
import { type Dictionary, TOO_MANY_SERIES } from "./dictionary.ts";
import type { NoteDrops } from "./drops.ts";
import { codeOf, DatabaseAway, isDatabaseAway } from "./failure.ts";
import { type IngestLimits, parseAttempt } from "./parse-attempt.ts";
import type { IngestQueue, RowFate } from "./queue.ts";
import { BadEvent, type ReceivedEvents } from "./read-events.ts";
import type { SourceStates } from "./source-states.ts";

export interface IngestDeps {
  readonly dictionary: Dictionary;
  readonly queue: IngestQueue;
  /** Makes sure that the days have a place to go. */
  readonly ensureDays: (days: ReadonlySet<number>) => Promise<void>;
  readonly sourceStates: SourceStates;
  readonly noteDrops: NoteDrops;
  readonly sourceWays: SourceWays;
  /** Names the outcome of events that name none, by the project's own rules first. */
  readonly namerOf: (projectId: number) => Promise<NameFailure>;
  readonly rawRetentionDays: number;
  readonly now: () => number;
  /** Called after a commit, so that rollups need not wait for their clock. */
  readonly onStored?: () => void;
}

export type Ingest = (projectId: number, received: ReceivedEvents) => Promise<IngestAnswer>;

const DAY_MS = 86_400_000;
/** Names of unknown fields that one answer lists at the most. */
const MAX_UNKNOWN_FIELDS = 50;

/**
 * Takes what a source sent: good events are stored, each bad one is answered with its reason. Resolves after
 * commit; throws `DatabaseAway` when nothing could be stored.
 */
export function createIngest(deps: IngestDeps): Ingest {
  return async (projectId, received) => {
    const limits = {
      nowMs: deps.now(),
      rawRetentionDays: deps.rawRetentionDays,
      nameFailure: await deps.namerOf(projectId),
    };
    const sorted = sortOut(received, limits);
    const fates = await store(deps, projectId, sorted.attempts);
    if (received.note !== null) await noteDrops(deps, projectId, received.note, limits.nowMs);
    const answer = summarize(sorted, fates, received);
    deps.sourceStates.note(projectId, sorted.attempts, fates, answer.rejected, limits.nowMs);
    deps.sourceWays.note(
      projectId,
      sorted.attempts.filter((_, i) => fates[i] === "new"),
      sorted.indexes.filter((_, i) => fates[i] === "new").map((index) => received.ways?.[index] ?? EVENTS),
      limits.nowMs,
    );
    if (answer.accepted > 0) deps.onStored?.();
    return answer;
  };
}

interface SortedEvents {
  readonly attempts: Attempt[];
  /** Place among the events, per attempt. */
  readonly indexes: number[];
  readonly rejected: Rejection[];
  readonly unknownFields: Map<string, number>;
}

function sortOut(received: ReceivedEvents, limits: IngestLimits): SortedEvents {
  const sorted: SortedEvents = { attempts: [], indexes: [], rejected: [], unknownFields: new Map() };
  received.events.forEach((event, index) => {
    if (event instanceof BadEvent) {
      sorted.rejected.push({ index: placeOf(received, index), pointer: event.pointer, detail: event.detail });
      return;
    }
    const parsed = parseAttempt(event, limits);
    if (!parsed.ok) {
      sorted.rejected.push({
        index: placeOf(received, index),
        pointer: pointerTo(received, index, parsed.pointer),
        detail: parsed.detail,
      });
      return;
    }
    sorted.attempts.push(parsed.attempt);
    sorted.indexes.push(index);
    for (const field of parsed.unknownFields) {
      const seen = sorted.unknownFields.get(field);
      if (seen !== undefined || sorted.unknownFields.size < MAX_UNKNOWN_FIELDS) {
        sorted.unknownFields.set(field, (seen ?? 0) + 1);
      }
    }
  });
  return sorted;
}

/** Where an event stood in what was sent. */
function placeOf({ places }: ReceivedEvents, index: number): number {
  return places?.[index] ?? index;
}

/** In a JSON document the pointer starts at its root; a line of NDJSON, a span and a payload are one of their own. */
function pointerTo({ format, pointers }: ReceivedEvents, index: number, pointer: string): string {
  return format === "json" ? `/attempts/${index}${pointer}` : (pointers?.[pointer] ?? pointer);
}

/** Per attempt what became of it; `null`: the project has too many series. */
async function store(
  deps: IngestDeps,
  projectId: number,
  attempts: readonly Attempt[],
): Promise<(RowFate | null)[]> {
  if (attempts.length === 0) return [];
  try {
    const rows = await deps.dictionary.toRows(projectId, attempts);
    await deps.ensureDays(new Set(attempts.map((attempt) => Math.floor(attempt.occurredAtMs / DAY_MS))));
    const stored = await deps.queue.add(rows.filter((row) => row !== null));
    let next = 0;
    return rows.map((row) => (row === null ? null : (stored[next++] ?? null)));
  } catch (error) {
    throw toFault(error);
  }
}

/** The driver's failure as the sender is to hear of it. */
function toFault(error: unknown): unknown {
  if (error instanceof DatabaseAway || !isDatabaseAway(error)) return error;
  return new DatabaseAway(`The database does not answer (${codeOf(error)}).`);
}

/** Before the answer: a sender that got one does not say it again. */
async function noteDrops(
  deps: IngestDeps,
  projectId: number,
  note: ReporterNote,
  nowMs: number,
): Promise<void> {
  try {
    await deps.noteDrops(projectId, note, nowMs);
  } catch (error) {
    throw toFault(error);
  }
}

function summarize(
  sorted: SortedEvents,
  fates: readonly (RowFate | null)[],
  received: ReceivedEvents,
): IngestAnswer {
  let accepted = 0;
  let duplicates = 0;
  let withoutEventId = 0;
  const rejected = [...sorted.rejected];
  fates.forEach((fate, i) => {
    if (fate === "new") {
      accepted++;
      if (sorted.attempts[i]?.hasOwnId === false) withoutEventId++;
    } else if (fate === "duplicate") duplicates++;
    else {
      const index = sorted.indexes[i] ?? 0;
      const detail = fate === null ? TOO_MANY_SERIES : "cannot be stored by the database";
      rejected.push({ index: placeOf(received, index), pointer: pointerTo(received, index, ""), detail });
    }
  });
  rejected.sort((a, b) => a.index - b.index);
  return {
    accepted,
    duplicates,
    rejected,
    withoutEventId,
    unknownFields: Object.fromEntries(sorted.unknownFields),
  };
}
