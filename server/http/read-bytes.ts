import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import zlib from "node:zlib";
import { AppError } from "./app-error.ts";
import type { BodyBudget } from "./body-budget.ts";

type Unpacker = zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress;

const UNPACKERS: ReadonlyMap<string, () => Unpacker> = new Map<string, () => Unpacker>([
  ["gzip", () => zlib.createGunzip()],
  ["deflate", () => zlib.createInflate()],
  ["br", () => zlib.createBrotliDecompress()],
]);

export interface BodyLimits {
  /** Of one body, unpacked. */
  readonly maxBytes: number;
  /** Of all bodies together. */
  readonly budget: BodyBudget;
}

/**
 * The body of a request, unpacked as it says; empty when there is none. It is counted as it comes, so that no body, and
 * not all of them together, ever take more memory than they may. Give its length back to the budget when it is done with.
 *
 * @throws AppError; what zlib throws for a body that is not packed as it says
 */
export async function readBytes(req: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  try {
    const unpacker = createUnpacker(req);
    if (unpacker === null) assertSaidLength(req, limits.maxBytes);
    return await collect(req, unpacker, limits);
  } catch (error) {
    await drain(req);
    throw error;
  }
}

/** @returns `null` for a body that is not packed */
function createUnpacker({ headers }: IncomingMessage): Unpacker | null {
  const encoding = (headers["content-encoding"] || "identity").toLowerCase();
  if (encoding === "identity") return null;
  const create = UNPACKERS.get(encoding);
  if (create === undefined) throw unsupportedEncoding();
  return create();
}

function assertSaidLength({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

function collect(
  req: IncomingMessage,
  unpacker: Unpacker | null,
  { maxBytes, budget }: BodyLimits,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const source: Readable = unpacker ?? req;
    const parts: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const finish = (error: unknown) => {
      if (isOver) return;
      isOver = true;
      source.off("data", take);
      if (unpacker !== null) {
        req.unpipe(unpacker);
        unpacker.destroy();
        // What follows the packed data is nobody's, but has to arrive for the connection to go on.
        req.resume();
      }
      if (error === null) resolve(Buffer.concat(parts, size));
      else {
        budget.giveBack(size);
        reject(error);
      }
    };
    const take = (part: Buffer) => {
      try {
        if (size + part.length > maxBytes) throw tooLarge(maxBytes);
        budget.take(part.length);
        size += part.length;
        parts.push(part);
      } catch (error) {
        finish(error);
      }
    };
    source.on("data", take);
    source.once("end", () => finish(null));
    source.on("error", finish);
    req.once("aborted", () => finish(brokenOff()));
    if (unpacker !== null) {
      req.on("error", finish);
      req.pipe(unpacker);
    }
  });
}

/** Whoever still sends does not read yet: what is left is thrown away before the answer goes out. */
function drain(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    req.once("end", resolve);
    req.once("close", resolve);
    req.once("error", () => resolve());
    req.resume();
  });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError({
    status: 413,
    code: "body_too_large",
    title: "The body is too large",
    detail: `After decompression it passes the limit of ${maxBytes} bytes. Send it in several requests.`,
  });
}

function unsupportedEncoding(): AppError {
  return new AppError({
    status: 415,
    code: "unsupported_encoding",
    title: "The content encoding is not supported",
    detail: "Use gzip, deflate, br, or none.",
    headers: { "Accept-Encoding": "gzip, deflate, br" },
  });
}

function brokenOff(): AppError {
  return new AppError({ status: 400, code: "body_broken_off", title: "The body broke off" });
}
