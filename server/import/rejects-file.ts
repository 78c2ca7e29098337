import { type FileHandle, open } from "node:fs/promises";
import { describeFailure, ImportError } from "./import-error.ts";
import type { Reject } from "./reason-tally.ts";

/**
 * A file that says of each rejected row where it is and why, one JSON object per line; never what it held.
 *
 * It is made with the first reject and replaces one of an earlier import.
 */
export class RejectsFile {
  readonly path: string;
  #handle: FileHandle | null = null;
  #pending: string[] = [];

  constructor(path: string) {
    this.path = path;
  }

  add({ file, line, pointer, detail }: Reject): void {
    this.#pending.push(`${JSON.stringify({ file, line, pointer, detail })}\n`);
  }

  /** Writes what was added since. @throws ImportError when the file cannot be written */
  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const text = this.#pending.join("");
    this.#pending = [];
    try {
      this.#handle ??= await open(this.path, "w");
      await this.#handle.appendFile(text);
    } catch (error) {
      throw new ImportError(`--rejects ${this.path}: ${describeFailure(error)}`);
    }
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#handle?.close();
    this.#handle = null;
  }
}
