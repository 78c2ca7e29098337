import type { Sql } from "../../db/connect.ts";
import { insertAttempts, listDuplicates } from "./queries.ts";
import type { AttemptRow } from "./row.ts";

/** Rows of one statement: more gain little and hold the event loop longer. */
const ROWS_PER_STATEMENT = 2_000;

/** What a row is unique by, as text. */
function rowKey({ projectId, attempt }: AttemptRow): string {
  return `${projectId} ${attempt.occurredAtMs} ${attempt.eventId}`;
}

/**
 * Stores the rows in one transaction: all of them or, when it throws, none.
 *
 * @returns per row whether it was new; the second of two equal rows is not
 */
export async function storeRows(sql: Sql, rows: readonly AttemptRow[]): Promise<boolean[]> {
  const isNew = rows.map(() => true);
  const places = placesToStore(rows, isNew);
  await sql.begin(async (tx) => {
    for (let from = 0; from < places.length; from += ROWS_PER_STATEMENT) {
      const slice = places.slice(from, from + ROWS_PER_STATEMENT);
      const chunk = slice.map((place) => rows[place] as AttemptRow);
      const inserted = await insertAttempts(tx, chunk);
      if (inserted === chunk.length) continue;
      for (const duplicate of await listDuplicates(tx, chunk)) isNew[slice[duplicate] as number] = false;
    }
  });
  return isNew;
}

/** Each distinct row once, in order of time so that the index grows at its end; repetitions are marked not new. */
function placesToStore(rows: readonly AttemptRow[], isNew: boolean[]): number[] {
  const seen = new Set<string>();
  const places: number[] = [];
  rows.forEach((row, place) => {
    const key = rowKey(row);
    if (seen.has(key)) isNew[place] = false;
    else {
      seen.add(key);
      places.push(place);
    }
  });
  const time = (place: number) => (rows[place] as AttemptRow).attempt.occurredAtMs;
  return places.sort((a, b) => time(a) - time(b));
}
