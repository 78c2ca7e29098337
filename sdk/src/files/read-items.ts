import fs from "node:fs";
import readline from "node:readline";
import { BatchError, isBatchError } from "../batch/batch-error.ts";
import type { CountedItems } from "../batch/types.ts";

/**
 * The lines of a UTF-8 text file as items of a batch, without empty ones. It may be of any size.
 *
 * @throws {BatchError} while it is read: of kind `input`, when the file cannot be
 */
export function readLines(file: string): CountedItems<string> {
  return readEach(file, (line) => line);
}

/**
 * The lines of an NDJSON file as items of a batch, without empty ones. It may be of any size.
 *
 * @param check gives what the line stands for; what it throws is told with the file and the line
 * @throws {BatchError} while it is read: of kind `input`, with the line that is no JSON
 */
export function readNdjson<Item = unknown>(
  file: string,
  check: (value: unknown) => Item = (value) => value as Item,
): CountedItems<Item> {
  return readEach(file, (line) => check(parseLine(line)));
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error(`is no JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

function readEach<Item>(file: string, read: (line: string) => Item): CountedItems<Item> {
  async function* items(): AsyncGenerator<Item> {
    const input = fs.createReadStream(file, "utf8");
    let number = 0;
    try {
      for await (const raw of readline.createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
        number++;
        const line = number === 1 ? raw.replace(/^\uFEFF/, "") : raw;
        if (line.trim() !== "") yield readLine(line, number);
      }
    } catch (error) {
      if (isBatchError(error)) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new BatchError("input", `${file} cannot be read: ${message}`, { cause: error });
    } finally {
      input.destroy();
    }
  }

  function readLine(line: string, number: number): Item {
    try {
      return read(line);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new BatchError("input", `${file}, line ${number} ${message}`, { cause: error });
    }
  }

  return {
    [Symbol.asyncIterator]: items,
    async count() {
      let count = 0;
      for await (const _ of items()) count++;
      return count;
    },
  };
}
