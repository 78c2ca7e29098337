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
