import type { Readable } from "node:stream";
import { describeFailure, ImportError } from "./import-error.ts";
import { type FileRun, importFile } from "./import-file.ts";
import { measureInputs } from "./open-input.ts";
import { describeNoRows, describeUnseen, openSource, type ReadOptions } from "./open-source.ts";
import { createProgress, type Progress, type TextOutput } from "./progress.ts";
import { ReasonTally, type Reject } from "./reason-tally.ts";
import { RejectsFile } from "./rejects-file.ts";
import { createOldRowsWarning } from "./retention-warning.ts";
import { createBatchSender } from "./send-batches.ts";
import type { ImportSink } from "./sink.ts";
import type { ImportSummary } from "./summary.ts";

export interface ImportJob {
  /** Paths; `-` is standard input. */
  readonly inputs: readonly string[];
  readonly stdin: Readable;
  readonly sink: ImportSink;
  readonly options: ReadOptions;
  readonly rejectsPath: string;
  /** For the progress bar and for warnings. */
  readonly out: TextOutput;
  readonly now: () => number;
  /** Ends the reading; what is under way is waited for. */
  readonly signal: AbortSignal;
}

const BATCHES_UNDER_WAY = 3;
const REASONS_TOLD = 5;

/**
 * Reads all inputs into the sink, in constant memory.
 *
 * Repeating it, after whatever end, adds what is missing and doubles nothing.
 *
 * @returns what was done, also when the signal or, after the first rows, a planned failure ended it early
 * @throws ImportError when it failed before anything was done
 */
export async function runImport(job: ImportJob): Promise<ImportSummary> {
  const { sink, signal, now } = job;
  const startedAt = now();
  const progress = createProgress(job.out, now);
  const rejects = new RejectsFile(job.rejectsPath);
  const tally = new ReasonTally();
  const done = { accepted: 0, duplicates: 0 };
  const ignored = new Set<string>();

  const reject = (what: Reject) => {
    rejects.add(what);
    tally.add(what);
  };
  const sender = createBatchSender(sink, BATCHES_UNDER_WAY, ({ file, lines }, answer) => {
    done.accepted += answer.accepted;
    done.duplicates += answer.duplicates;
    for (const { index, pointer, detail } of answer.rejected) {
      reject({ file, line: lines[index] ?? 0, pointer, detail });
    }
  });
  const run = { send: sender.send, reject, onRows: () => rejects.flush(), signal };

  const readFailure = await catchFailure(() => importFiles(job, run, progress, ignored));
  const sendFailure = await catchFailure(() => sender.drain());
  const failure = readFailure ?? sendFailure;
  await rejects.close();
  await sink.finish();
  progress.stop();
  const rows = done.accepted + done.duplicates + tally.total;
  const isTold = signal.aborted || (failure instanceof ImportError && rows > 0);
  if (failure !== null && !isTold) throw failure;
  return {
    target: sink.describe(),
    rows,
    ...done,
    rejected: tally.total,
    reasons: tally.top(REASONS_TOLD),
    ignoredColumns: [...ignored],
    rejectsPath: tally.total > 0 ? rejects.path : null,
    elapsedMs: now() - startedAt,
    isInterrupted: signal.aborted,
    failure: failure === null || signal.aborted ? null : describeFailure(failure),
  };
}

/** @param ignored gets the columns that fill no field */
async function importFiles(job: ImportJob, run: FileRun, progress: Progress, ignored: Set<string>) {
  const { inputs, stdin, options, signal } = job;
  const { rawRetentionDays } = await job.sink.limits();
  const warn = createOldRowsWarning(rawRetentionDays, job.now(), progress.say);
  await checkAhead(job, warn);
  const totalBytes = await measureInputs(inputs);
  let rows = 0;
  let bytesBefore = 0;
  for (const path of inputs) {
    if (signal.aborted) return;
    const source = await openSource(path, stdin, options, signal);
    if (source === null) {
      progress.say(describeNoRows(path, source));
      continue;
    }
    warn(source.oldestMs);
    if (source.unseenColumns.length > 0) progress.say(describeUnseen(source));
    const rowsBefore = rows;
    const onRows = async (count: number) => {
      rows += count;
      progress.update(rows, bytesBefore + source.input.bytesRead(), totalBytes);
      await run.onRows(count);
    };
    try {
      await importFile(source, { ...run, onRows });
      if (rows === rowsBefore) progress.say(describeNoRows(path, source));
    } catch (error) {
      throw error instanceof ImportError ? new ImportError(`${source.name}: ${error.message}`) : error;
    } finally {
      bytesBefore += source.input.bytesRead();
      for (const { column, fields } of source.plan.describe()) if (fields.length === 0) ignored.add(column);
      source.input.close();
    }
  }
}

/**
 * Opens every file once before the first is imported, so that a fault in the last does not show after an hour.
 * Pipes can be read only once and are left out; so is a single file, which is opened next anyway.
 */
async function checkAhead(
  { inputs, stdin, options, signal }: ImportJob,
  warn: (oldestMs: number | null) => void,
) {
  if (inputs.length < 2) return;
  for (const path of inputs) {
    if ((await measureInputs([path])) === null) continue;
    const source = await openSource(path, stdin, options, signal);
    warn(source?.oldestMs ?? null);
    source?.input.close();
  }
}

/** What the work threw, `null` when it passed. */
async function catchFailure(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    return error;
  }
}
