import type { Sql } from "../../db/connect.ts";
import type { Rejection } from "../contract/attempt-event.ts";
import type { Attempt } from "./attempt.ts";
import type { RowFate } from "./queue.ts";

/**
 * Keeps what the Sources page shows: last event, counts, rejects, clock. It is gathered in memory and written
 * every few seconds, so that ingest does not queue for one hot row; a crash loses the last seconds of it.
 */
export interface SourceStates {
  note(
    projectId: number,
    attempts: readonly Attempt[],
    fates: readonly (RowFate | null)[],
    rejected: readonly Rejection[],
    nowMs: number,
  ): void;
  /** Writes what has gathered. */
  flush(): Promise<void>;
}

interface Gathered {
  readonly projectId: number;
  readonly source: string;
  lastEventMs: number | null;
  lastReceivedMs: number;
  accepted: number;
  duplicates: number;
  rejected: number;
  lastRejection: Rejection | null;
}

export function createSourceStates(sql: Sql): SourceStates {
  let gathered = new Map<string, Gathered>();

  function stateOf(projectId: number, source: string, nowMs: number): Gathered {
    const key = `${projectId} ${source}`;
    let state = gathered.get(key);
    if (state === undefined) {
      state = {
        projectId,
        source,
        lastEventMs: null,
        lastReceivedMs: nowMs,
        accepted: 0,
        duplicates: 0,
        rejected: 0,
        lastRejection: null,
      };
      gathered.set(key, state);
    }
    state.lastReceivedMs = nowMs;
    return state;
  }

  return {
    note(projectId, attempts, fates, rejected, nowMs) {
      let state: Gathered | null = null;
      attempts.forEach((attempt, i) => {
        const { source } = attempt.series;
        if (state?.source !== source) state = stateOf(projectId, source, nowMs);
        if (fates[i] === "new") state.accepted++;
        else if (fates[i] === "duplicate") state.duplicates++;
        state.lastEventMs = Math.max(state.lastEventMs ?? attempt.occurredAtMs, attempt.occurredAtMs);
      });
      const last = rejected.at(-1);
      if (last === undefined) return;
      // A rejected event is not trusted to say where it came from; alone in its batch, it belongs to no source.
      const rejecting = stateOf(projectId, attempts[0]?.series.source ?? "", nowMs);
      rejecting.rejected += rejected.length;
      rejecting.lastRejection = last;
    },
    async flush() {
      const states = [...gathered.values()];
      gathered = new Map();
      for (const state of states) await upsertSourceState(sql, state);
    },
  };
}

async function upsertSourceState(sql: Sql, state: Gathered): Promise<void> {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms));
  const offset = state.lastEventMs === null ? null : state.lastEventMs - state.lastReceivedMs;
  const rejectedAt = state.lastRejection === null ? null : time(state.lastReceivedMs);
  await sql`
    insert into source_state as s (project_id, source, last_event_at, last_received_at, accepted_count,
           duplicate_count, rejected_count, clock_offset_ms, last_rejected_at, last_rejection_pointer,
           last_rejection_detail)
    select p.id, ${state.source}, ${time(state.lastEventMs)}, ${time(state.lastReceivedMs)}, ${state.accepted},
           ${state.duplicates}, ${state.rejected}, ${offset}, ${rejectedAt},
           ${state.lastRejection?.pointer ?? null}, ${state.lastRejection?.detail ?? null}
      from project p where p.id = ${state.projectId}
        on conflict (project_id, source) do update
       set last_event_at = greatest(s.last_event_at, excluded.last_event_at),
           last_received_at = greatest(s.last_received_at, excluded.last_received_at),
           accepted_count = s.accepted_count + excluded.accepted_count,
           duplicate_count = s.duplicate_count + excluded.duplicate_count,
           rejected_count = s.rejected_count + excluded.rejected_count,
           clock_offset_ms = coalesce(excluded.clock_offset_ms, s.clock_offset_ms),
           last_rejected_at = coalesce(excluded.last_rejected_at, s.last_rejected_at),
           last_rejection_pointer = coalesce(excluded.last_rejection_pointer, s.last_rejection_pointer),
           last_rejection_detail = coalesce(excluded.last_rejection_detail, s.last_rejection_detail)`;
}
