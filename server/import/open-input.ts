import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { addAbortSignal, pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { describeUnpackFault, judgeUnpackFault, type UnpackFault } from "../packing/unpack-fault.ts";
import { detectPacking, type Packing } from "./detect-format.ts";
import { ImportError } from "./import-error.ts";
import { formatCount } from "./progress.ts";

const CHUNK_BYTES = 256 * 1024;

/** A file or standard input, unpacked. */
export interface OpenInput {
  readonly packing: Packing;
  /** Bytes on disk, `null` when nobody can know: a pipe. */
  readonly totalBytes: number | null;
  /** Bytes read so far, as they are on disk. */
  bytesRead(): number;
  readonly chunks: AsyncIterator<Buffer>;
  close(): void;
}

const NO_GZIP =
  "is called gzip but does not begin as gzip does, and is no text: it is damaged or something else";

/** What is read when a file is called `-`. */
export const STDIN = "-";

/**
 * Opens a file, or `stdin` for `-`, and unpacks gzip, which is told by its magic bytes.
 *
 * @throws ImportError when it cannot be opened, or is packed in a way that is not understood
 */
export async function openInput(path: string, stdin: Readable, signal: AbortSignal): Promise<OpenInput> {
  const totalBytes = path === STDIN ? null : await measure(path);
  const stream = path === STDIN ? stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  addAbortSignal(signal, stream);
  let read = 0;
  const raw = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    const start = await readStart(raw);
    const packing = detectPacking(start);
    if (packing === "plain" && /\.t?gz$/i.test(path) && start.includes(0)) throw new ImportError(NO_GZIP);
    const chunks = replay(start, raw, (bytes) => {
      read += bytes;
    });
    return {
      packing,
      totalBytes,
      bytesRead: () => read,
      chunks: packing === "gzip" ? gunzip(chunks) : chunks,
      close: () => void stream.destroy(),
    };
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

/**
 * Bytes of all inputs together, `null` when one of them is a pipe.
 *
 * A file that cannot be read counts nothing: whoever opens it will say so.
 */
export async function measureInputs(paths: readonly string[]): Promise<number | null> {
  let total = 0;
  for (const path of paths) {
    const size = path === STDIN ? null : await measure(path).catch(() => 0);
    if (size === null) return null;
    total += size;
  }
  return total;
}

/** @returns `null` for what is no regular file */
async function measure(path: string): Promise<number | null> {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new ImportError("is a folder, not a file");
  return stats.isFile() ? stats.size : null;
}

/** Enough bytes to tell how the file is packed, or all there are. */
async function readStart(raw: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < 4) {
    const { value, done } = await raw.next();
    if (done) break;
    parts.push(Buffer.from(value));
    length += value.length;
  }
  return Buffer.concat(parts);
}

async function* replay(start: Buffer, raw: AsyncIterator<Buffer>, onBytes: (bytes: number) => void) {
  let chunk: Buffer | undefined = start;
  while (chunk !== undefined) {
    onBytes(chunk.length);
    yield chunk;
    const next: IteratorResult<Buffer> = await raw.next();
    chunk = next.done ? undefined : next.value;
  }
}

async function* gunzip(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
  pipeline(chunks, unpacked, () => {}); // its error ends the loop below
  try {
    for await (const chunk of unpacked) yield chunk as Buffer;
  } catch (error) {
    const fault = judgeUnpackFault(error);
    if (fault === null) throw error;
    throw new ImportError(describeGzipFault(fault, unpacked.bytesWritten));
  }
}

/** @param bytes of the packed file that were read before; the fault lies in the next 64 KiB, a wrong checksum before */
function describeGzipFault(fault: UnpackFault, bytes: number): string {
  const words = describeUnpackFault(fault, "gzip");
  const at = `byte ${formatCount(bytes)} of the file`;
  if (fault === "cut off") return `${words}, at ${at}: was it copied whole?`;
  if (fault === "wrong checksum") return `${words}, so something before ${at} is not what was packed`;
  return `${words}, after ${at}`;
}
