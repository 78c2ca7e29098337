import { invalidQuery } from "./parse.ts";

/** What the column holds that pages are cut by. */
const MOST = { integer: 2_147_483_647, bigint: Number.MAX_SAFE_INTEGER } as const;

/**
 * Where the page before ended, for lists that are cut by a number.
 *
 * @returns `null` for the first page
 * @throws AppError 422 for what no page gave out
 */
export function readCursor(cursor: string | undefined, column: keyof typeof MOST): number | null {
  if (cursor === undefined) return null;
  const number = Number(cursor);
  if (/^\d{1,16}$/.test(cursor) && number <= MOST[column]) return number;
  throw invalidQuery([{ pointer: "?cursor", detail: "must be the `next` of a page, unchanged" }]);
}

/** What to give as the cursor of the page after, of rows that were asked for up to a limit; `null` on the last page. */
export function nextCursor<T>(
  rows: readonly T[],
  limit: number,
  numberOf: (row: T) => number,
): string | null {
  const last = rows.at(-1);
  return rows.length < limit || last === undefined ? null : String(numberOf(last));
}

/** The same of rows of which one more was asked for than is shown: it tells whether there is another page. */
export function cutPage<T extends { readonly id: number }>(
  rows: readonly T[],
  limit: number,
): { page: T[]; next: string | null } {
  const page = rows.slice(0, limit);
  return { page, next: rows.length > limit ? nextCursor(page, limit, ({ id }) => id) : null };
}
