import { LineSplitter, type OnLine } from "./line-splitter.ts";
import type { JsonRow, RowReader, SourceRow } from "./source-row.ts";

const NOT_JSON = "is not JSON";

/** Rows of newline-delimited JSON, one object per line; blank lines are skipped. */
export function createNdjsonReader(): RowReader {
  const splitter = new LineSplitter();
  const read = (feed: (onLine: OnLine) => void) => {
    const rows: SourceRow[] = [];
    feed((text, line, fault) => {
      if (text === null) rows.push({ line, cells: null, fault: fault ?? NOT_JSON });
      else if (text !== "") readLine(text, line, rows);
    });
    return rows;
  };
  return {
    push: (chunk) => read((onLine) => splitter.push(chunk, onLine)),
    end: () => read((onLine) => splitter.end(onLine)),
  };
}

/** The parser's own message is dropped: it quotes the line, which may hold a prompt. */
function readLine(text: string, line: number, rows: SourceRow[]): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.trim() !== "") rows.push({ line, cells: null, fault: NOT_JSON });
    return;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    rows.push({ line, cells: value as JsonRow, fault: null });
  } else {
    rows.push({ line, cells: null, fault: "is not a JSON object" });
  }
}
