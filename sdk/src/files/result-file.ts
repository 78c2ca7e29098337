import fs from "node:fs/promises";
import path from "node:path";
import { BatchError, isBatchError } from "../batch/batch-error.ts";
import type { BatchResult, BatchStore, OpenBatchStore } from "../batch/types.ts";
import { takeLock } from "./file-lock.ts";
import { scanResults } from "./repair.ts";

export interface ResultFileOptions {
  /**
   * When an item counts as finished. `disk` (default): once the disk has its line (fdatasync), so that a loss of power
   * loses nothing either. `system`: once the operating system has it, which survives the end of the process alone.
   */
  readonly sync?: "disk" | "system";
}

/**
 * A file of results, one JSON a line, in the order in which they came. A line that broke off is taken off when it is
 * opened again. Lines that are ready at the same time are written and synced as one.
 */
export function resultFile(file: string, { sync = "disk" }: ResultFileOptions = {}): BatchStore {
  return {
    name: file,
    async open({ forgetFailed }) {
      const lock = attempt(file, () => takeLock(path.resolve(file)));
      if ("pid" in lock) {
        const who = `process ${lock.pid} on ${lock.host}, since ${lock.since}`;
        throw new BatchError(
          "in_use",
          `${file} is in use by ${who} (${file}.lock); end that one first, or write to another file`,
        );
      }
      try {
        if (forgetFailed) await dropFailed(file);
        const { finished, handle } = await openRepaired(file);
        const lines = new LineWriter(file, handle, sync === "disk");
        return {
          finished,
          add: (result) => lines.add(`${JSON.stringify(result)}\n`),
          async close() {
            await lines.close();
            lock.release();
          },
        } satisfies OpenBatchStore;
      } catch (error) {
        lock.release();
        throw toStoreError(file, error);
      }
    },
  };
}

/** What is in a file of results, in the order in which it came. A line that broke off is left out. */
export async function readResults<Value = unknown>(file: string): Promise<BatchResult<Value>[]> {
  const results: BatchResult<Value>[] = [];
  await scanResults(file, (_, result) => {
    results.push(result as BatchResult<Value>);
  });
  return results;
}

async function openRepaired(file: string) {
  const handle = await fs.open(file, "a+");
  try {
    const { finished, wholeBytes, bytes, lacksBreak } = await scanResults(file);
    if (wholeBytes < bytes) await handle.truncate(wholeBytes);
    if (lacksBreak) await handle.appendFile("\n");
    await syncFolder(file);
    return { finished, handle };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Writes the good results into a new file that takes the place of the old one at once. */
async function dropFailed(file: string): Promise<void> {
  const isThere = await fs.stat(file).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  const draft = `${file}.draft`;
  const handle = await fs.open(draft, "w");
  try {
    await scanResults(file, async (line, { outcome }) => {
      if (outcome === "ok") await handle.appendFile(`${line}\n`);
    });
    await handle.sync();
  } catch (error) {
    await fs.rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await fs.rename(draft, file);
  await syncFolder(file);
}

/** So that the file's name survives a loss of power too, where the system can do that. */
async function syncFolder(file: string): Promise<void> {
  try {
    const folder = await fs.open(path.dirname(path.resolve(file)), "r");
    await folder.sync().finally(() => folder.close());
  } catch {
    // Windows knows no such thing.
  }
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Appends lines; those that come while a write is under way share the next one. */
class LineWriter {
  readonly #file: string;
  readonly #handle: fs.FileHandle;
  readonly #isSynced: boolean;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;
  #fault: BatchError | null = null;

  constructor(file: string, handle: fs.FileHandle, isSynced: boolean) {
    this.#file = file;
    this.#handle = handle;
    this.#isSynced = isSynced;
  }

  add(line: string): Promise<void> {
    if (this.#fault !== null) return Promise.reject(this.#fault);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#handle.close();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        if (this.#fault !== null) throw this.#fault;
        await this.#write(group.map(({ line }) => line).join(""));
        for (const { resolve } of group) resolve();
      } catch (error) {
        // After a write that failed half-way nothing may follow: the next run mends the end.
        this.#fault = toStoreError(this.#file, error);
        for (const { reject } of group) reject(this.#fault);
      }
    }
    this.#writing = null;
  }

  async #write(text: string): Promise<void> {
    await this.#handle.appendFile(text);
    if (this.#isSynced) await this.#handle.datasync();
  }
}

function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStoreError(file, error);
  }
}

function toStoreError(file: string, error: unknown): BatchError {
  if (isBatchError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new BatchError("store", `${file} cannot be written: ${message}`, { cause: error });
}
