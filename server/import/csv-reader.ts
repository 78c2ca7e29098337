import { parse } from "csv-parse/sync";
import { followQuotes } from "./csv-quotes.ts";
import { LineSplitter, MAX_LINE_BYTES } from "./line-splitter.ts";
import type { RowReader, SourceRow } from "./source-row.ts";

/** A record of more lines is a quote that nobody closed. */
const MAX_RECORD_LINES = 1_000;

const UNCLOSED = "has a quote that is never closed";
const INVALID = "is not valid CSV";

interface OpenRecord {
  readonly line: number;
  readonly texts: string[];
  length: number;
}

/** A record whose quoted fields wait to be parsed, with its place among the rows. */
interface QuotedRecord {
  readonly at: number;
  readonly line: number;
  readonly text: string;
}

/**
 * Rows of CSV; the line of a row is the one that it begins in, and line breaks within quotes become `\n`.
 *
 * Records are found here and their quotes are undone by csv-parse, all of a chunk at once: lines without a quote,
 * which are most, need no parser, and one quote that is never closed costs its own row and not the rest of the file.
 */
export function createCsvReader(delimiter: string): RowReader {
  const splitter = new LineSplitter();
  let rows: SourceRow[] = [];
  let quoted: QuotedRecord[] = [];
  let open: OpenRecord | null = null;

  function takeLine(text: string | null, line: number, fault: string | null): void {
    if (open !== null && text !== null) extend(open, text);
    else if (open !== null) giveUp({ line, fault: fault ?? INVALID });
    else if (text === null) rows.push({ line, cells: null, fault: fault ?? INVALID });
    else if (text === "") return;
    else if (!text.includes('"')) rows.push({ line, cells: text.split(delimiter), fault: null });
    else if (followQuotes(text, delimiter) === "open") open = { line, texts: [text], length: text.length };
    else queue(line, text);
  }

  function extend(record: OpenRecord, text: string): void {
    record.texts.push(text);
    record.length += text.length;
    const state = followQuotes(text, delimiter, true);
    if (state === "closed") {
      open = null;
      queue(record.line, record.texts.join("\n"));
    } else if (
      state === "broken" ||
      record.texts.length > MAX_RECORD_LINES ||
      record.length > MAX_LINE_BYTES
    ) {
      giveUp();
    }
  }

  /** Rejects the line in which the open record began, and reads the ones after it afresh. */
  function giveUp(badLine?: { line: number; fault: string }): void {
    if (open === null) return;
    const { line, texts } = open;
    open = null;
    rows.push({ line, cells: null, fault: UNCLOSED });
    for (const [place, text] of texts.entries()) if (place > 0) takeLine(text, line + place, null);
    if (badLine !== undefined) takeLine(null, badLine.line, badLine.fault);
  }

  function queue(line: number, text: string): void {
    quoted.push({ at: rows.length, line, text });
    rows.push({ line, cells: null, fault: INVALID });
  }

  function flush(): SourceRow[] {
    for (const [place, cells] of parseRecords(quoted, delimiter).entries()) {
      const record = quoted[place];
      if (record !== undefined && cells !== null) rows[record.at] = { line: record.line, cells, fault: null };
    }
    const read = rows;
    rows = [];
    quoted = [];
    return read;
  }

  return {
    push(chunk) {
      splitter.push(chunk, takeLine);
      return flush();
    },
    end() {
      splitter.end(takeLine);
      while (open !== null) giveUp();
      return flush();
    },
  };
}

/** The cells of each record; `null` where csv-parse sees no record or more than one. */
function parseRecords(records: readonly QuotedRecord[], delimiter: string): (string[] | null)[] {
  if (records.length === 0) return [];
  const parsed = tryParse(records.map(({ text }) => text).join("\n"), delimiter);
  if (parsed?.length === records.length) return parsed;
  return records.map(({ text }) => {
    const alone = tryParse(text, delimiter);
    return alone?.length === 1 ? (alone[0] ?? null) : null;
  });
}

function tryParse(text: string, delimiter: string): string[][] | null {
  try {
    return parse(text, {
      delimiter,
      record_delimiter: "\n",
      relax_quotes: true,
      relax_column_count: true,
    }) as string[][];
  } catch {
    return null;
  }
}
