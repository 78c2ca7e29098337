import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import type { Attempt } from "./attempt.ts";

/** An attempt with the numbers that stand for its texts. */
export interface AttemptRow {
  readonly projectId: number;
  readonly seriesId: number;
  readonly servedModelId: number | null;
  readonly attempt: Attempt;
}

const OUTCOME_CODES: Readonly<Record<Outcome, number>> = Object.fromEntries(
  OUTCOMES.map((outcome, code) => [outcome, code]),
) as Record<Outcome, number>;

/** The number under which an outcome is stored: its place in the closed list, which only ever grows at the end. */
export function outcomeCode(outcome: Outcome): number {
  return OUTCOME_CODES[outcome];
}

type Cell = number | string | boolean | null;

/** Column, type, and what of the row stands in it: the order of `unnest` and of the insert. */
export const COLUMNS: readonly (readonly [column: string, type: string, cell: (row: AttemptRow) => Cell])[] =
  [
    ["project_id", "int", (row) => row.projectId],
    ["series_id", "int", (row) => row.seriesId],
    ["occurred_at", "bigint", (row) => row.attempt.occurredAtMs],
    ["event_id", "uuid", (row) => row.attempt.eventId],
    ["outcome", "smallint", (row) => OUTCOME_CODES[row.attempt.outcome]],
    ["http_status", "smallint", (row) => row.attempt.httpStatus],
    ["attempt", "smallint", (row) => row.attempt.attempt],
    ["position", "smallint", (row) => row.attempt.position],
    ["in_flight", "smallint", (row) => row.attempt.inFlight],
    ["is_final", "boolean", (row) => row.attempt.isFinal],
    ["is_stream", "boolean", (row) => row.attempt.isStream],
    ["latency_ms", "int", (row) => row.attempt.latencyMs],
    ["first_token_ms", "int", (row) => row.attempt.firstTokenMs],
    ["input_tokens", "int", (row) => row.attempt.inputTokens],
    ["output_tokens", "int", (row) => row.attempt.outputTokens],
    ["retry_after_ms", "int", (row) => row.attempt.retryAfterMs],
    ["served_model_id", "int", (row) => row.servedModelId],
    ["request_id", "uuid", (row) => row.attempt.requestId],
    ["evidence", "text", (row) => toEvidenceLiteral(row.attempt)],
  ];

function toEvidenceLiteral({ evidence }: Attempt): string | null {
  return evidence === null ? null : quoteArrayItem(JSON.stringify(evidence));
}

function quoteArrayItem(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/**
 * One Postgres array literal per column: several times cheaper than letting the driver serialize each value. A
 * column without any value is the empty array, which `unnest` fills up with nulls at no cost.
 */
export function toArrayLiterals(rows: readonly AttemptRow[]): string[] {
  return COLUMNS.map(([, , cell]) => {
    let literal = "";
    let isEmpty = true;
    for (let i = 0; i < rows.length; i++) {
      const value = cell(rows[i] as AttemptRow);
      if (value !== null) isEmpty = false;
      if (i > 0) literal += ",";
      literal += value ?? "NULL";
    }
    return isEmpty ? "{}" : `{${literal}}`;
  });
}
