import fs from "node:fs/promises";
import { BatchError } from "../batch/batch-error.ts";
import type { BatchResult, FinishedItem } from "../batch/types.ts";

/** What a file of results holds. */
export interface ReadResults {
  readonly finished: FinishedItem[];
  /** Bytes up to the end of the last whole line. */
  readonly wholeBytes: number;
  readonly bytes: number;
  /** Whether only the line break is missing after the last line. */
  readonly lacksBreak: boolean;
}

const CHUNK_BYTES = 1 << 20;

/**
 * Reads a file of results. What stands after the last line break is a line that broke off when its process ended. So are
 * zeros at the end: a machine that lost its power leaves such.
 *
 * @param onResult hears each result in turn
 * @throws {BatchError} `store` when a line in the middle is no result, or an id stands twice
 */
export async function scanResults(
  file: string,
  onResult: (line: string, result: BatchResult) => Promise<void> | void = () => {},
): Promise<ReadResults> {
  const finished: FinishedItem[] = [];
  const ids = new Map<string, number>();
  let [wholeBytes, bytes, number, damagedAt] = [0, 0, 0, 0];
  let lacksBreak = false;
  for await (const { line, end, isWhole } of readRawLines(file)) {
    number++;
    bytes = end;
    const result = parseResult(line);
    if (result === null) {
      if (isWhole && line.trim() === "") continue;
      if (isWhole && !line.includes("\0")) throw notOurs(file, number);
      damagedAt ||= number;
      continue;
    }
    if (damagedAt > 0) throw notOurs(file, damagedAt);
    const before = ids.get(String(result.id));
    if (before !== undefined) {
      const id = JSON.stringify(result.id);
      throw new BatchError(
        "store",
        `${file}, line ${number}: the result of ${id} is there already, on line ${before}`,
      );
    }
    ids.set(String(result.id), number);
    finished.push({ id: result.id, outcome: result.outcome, input: result.input });
    wholeBytes = end;
    lacksBreak = !isWhole;
    await onResult(line, result);
  }
  // A file of something else must not be cut off as if it were a broken result.
  if (damagedAt > 0 && finished.length === 0 && !(await looksLikeResult(file)))
    throw notOurs(file, damagedAt);
  return { finished, wholeBytes, bytes, lacksBreak };
}

const notOurs = (file: string, line: number) =>
  new BatchError(
    "store",
    `${file}, line ${line} is no result of a batch; take it out, or write to another file`,
  );

/** The beginning of a line as `resultFile` writes it. */
async function looksLikeResult(file: string): Promise<boolean> {
  const head = await readHead(file);
  return /^\0*$/.test(head) || '{"id":'.startsWith(head.slice(0, 6));
}

async function readHead(file: string): Promise<string> {
  const handle = await fs.open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

interface RawLine {
  readonly line: string;
  /** Where it ends in the file, its break included. */
  readonly end: number;
  /** Whether a line break follows. */
  readonly isWhole: boolean;
}

async function* readRawLines(file: string): AsyncGenerator<RawLine> {
  const handle = await fs.open(file, "r");
  try {
    let rest = Buffer.alloc(0);
    let end = 0;
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      let chunk = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10)) {
        end += at + 1;
        yield { line: chunk.toString("utf8", 0, at), end, isWhole: true };
        chunk = chunk.subarray(at + 1);
      }
      rest = chunk;
    }
    if (rest.length > 0) yield { line: rest.toString("utf8"), end: end + rest.length, isWhole: false };
  } finally {
    await handle.close();
  }
}

function parseResult(line: string): BatchResult | null {
  try {
    const result = JSON.parse(line) as BatchResult | null;
    const isOurs =
      typeof result === "object" &&
      (typeof result?.id === "string" || typeof result?.id === "number") &&
      typeof result.outcome === "string" &&
      typeof result.input === "string";
    return isOurs ? result : null;
  } catch {
    return null;
  }
}
