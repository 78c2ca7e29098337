import type { ISql, Sql } from "../../db/connect.ts";
import { codeOf } from "./failure.ts";
import { insertAttempts, insertNewAttempts, listDuplicates } from "./queries.ts";
import type { AttemptRow } from "./row.ts";

/** Rows of one statement: more gain little and hold the event loop longer. */
const ROWS_PER_STATEMENT = 2_000;
/** After a repetition was seen, so many calls ask of each row whether it is there: repetitions come in runs. */
const CAREFUL_CALLS = 100;
const UNIQUE_VIOLATION = "23505";

/** Stores rows in one transaction: all of them or, when it throws, none. Per row whether it was new. */
export type StoreRows = (rows: readonly AttemptRow[]) => Promise<boolean[]>;

/**
 * The way into the raw table. It takes rows for new until the database finds one that is not; then it stores the
 * same rows again, row by row where it must. Of two equal rows in one call the second is not new.
 */
export function createStore(sql: Sql): StoreRows {
  let carefulCalls = 0;
  return async (rows) => {
    const isNew = rows.map(() => true);
    const places = placesToStore(rows, isNew);
    if (carefulCalls > 0) carefulCalls--;
    else if (
      await storeAsNew(
        sql,
        places.map((place) => rows[place] as AttemptRow),
      )
    )
      return isNew;
    else carefulCalls = CAREFUL_CALLS;
    await sql.begin(async (tx) => {
      for (const slice of toSlices(places)) await storeCarefully(tx, slice, rows, isNew);
    });
    return isNew;
  };
}

/** False when one of the rows was there before; nothing is stored then. */
async function storeAsNew(sql: Sql, rows: readonly AttemptRow[]): Promise<boolean> {
  try {
    const slices = toSlices(rows);
    const [only] = slices;
    if (slices.length === 1 && only !== undefined) await insertNewAttempts(sql, only);
    else {
      await sql.begin(async (tx) => {
        for (const slice of slices) await insertNewAttempts(tx, slice);
      });
    }
    return true;
  } catch (error) {
    if (codeOf(error) === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

async function storeCarefully(
  tx: ISql,
  places: readonly number[],
  rows: readonly AttemptRow[],
  isNew: boolean[],
): Promise<void> {
  const chunk = places.map((place) => rows[place] as AttemptRow);
  const inserted = await insertAttempts(tx, chunk);
  if (inserted === chunk.length) return;
  for (const duplicate of await listDuplicates(tx, chunk)) isNew[places[duplicate] as number] = false;
}

function toSlices<T>(items: readonly T[]): T[][] {
  const slices: T[][] = [];
  for (let from = 0; from < items.length; from += ROWS_PER_STATEMENT) {
    slices.push(items.slice(from, from + ROWS_PER_STATEMENT));
  }
  return slices;
}

/** What a row is unique by, as text. */
function rowKey({ projectId, attempt }: AttemptRow): string {
  return `${attempt.eventId}${attempt.occurredAtMs} ${projectId}`;
}

/** Each distinct row once, in order of time so that the index grows at its end; repetitions are marked not new. */
function placesToStore(rows: readonly AttemptRow[], isNew: boolean[]): number[] {
  const hasTwins = new Set(rows.map(({ attempt }) => attempt.eventId)).size < rows.length;
  if (hasTwins) markTwins(rows, isNew);
  const places = [...rows.keys()].filter((place) => isNew[place]);
  const time = (place: number) => (rows[place] as AttemptRow).attempt.occurredAtMs;
  return places.sort((a, b) => time(a) - time(b));
}

function markTwins(rows: readonly AttemptRow[], isNew: boolean[]): void {
  const seen = new Set<string>();
  rows.forEach((row, place) => {
    const key = rowKey(row);
    if (seen.has(key)) isNew[place] = false;
    seen.add(key);
  });
}
