import { identify } from "./identify.ts";
import { OccurrenceCounter } from "./occurrence-counter.ts";
import type { Source } from "./open-source.ts";
import type { Reject } from "./reason-tally.ts";
import type { Batch } from "./send-batches.ts";

/** What a file is imported with. */
export interface FileRun {
  send(batch: Batch): Promise<void>;
  reject(what: Reject): void;
  /** After each block of rows. */
  onRows(count: number): Promise<void>;
  readonly signal: AbortSignal;
}

const BATCH_EVENTS = 10_000;

/** Sends all rows of one file in batches; identical rows are numbered within the file. */
export async function importFile(source: Source, run: FileRun): Promise<void> {
  const { name: file } = source;
  const occurrences = new OccurrenceCounter();
  let batch: Batch = { file, events: [], lines: [] };
  for await (const rows of source.blocks()) {
    for (const row of rows) {
      const mapped = source.map(row);
      if (!mapped.ok) {
        run.reject({ file, line: row.line, pointer: mapped.pointer, detail: mapped.detail });
        continue;
      }
      batch.events.push(identify(mapped, occurrences));
      batch.lines.push(row.line);
      if (batch.events.length < BATCH_EVENTS) continue;
      await run.send(batch);
      batch = { file, events: [], lines: [] };
    }
    await run.onRows(rows.length);
    if (run.signal.aborted) return;
  }
  if (batch.events.length > 0) await run.send(batch);
}
