/** What was read from a place in a file, before anybody looked at its fields. */
export type SourceRow =
  | { readonly line: number; readonly cells: readonly string[] | JsonRow; readonly fault: null }
  | { readonly line: number; readonly cells: null; readonly fault: string };

export type JsonRow = Readonly<Record<string, unknown>>;

/** Turns chunks of one file into rows, in the order of the file. */
export interface RowReader {
  push(chunk: Buffer): SourceRow[];
  /** The rows that were still open. */
  end(): SourceRow[];
}

export const OVERLONG = "is longer than 1 MiB";
export const NOT_UTF8 = "is not UTF-8: convert the file, as with iconv -f WINDOWS-1252 -t UTF-8";
