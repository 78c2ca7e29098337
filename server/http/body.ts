import { isAscii, isUtf8 } from "node:buffer";
import { finished } from "node:stream";
import type { RequestHandler } from "express";
import { MAX_BODY_BYTES } from "../contract/attempt-event.ts";
import type { BodyType, RouteContract } from "../contract/route.ts";
import { AppError } from "./app-error.ts";
import type { BodyBudget } from "./body-budget.ts";
import { describeMediaTypeFault, readBodyType } from "./media-type.ts";
import { invalidBody, parse } from "./parse.ts";
import { readBytes } from "./read-bytes.ts";
import { findBrokenText } from "./whole-texts.ts";

const MAX_JSON_BYTES = 64 * 1024;

/** Reads the body of a route that has one, unpacked, after a look at what it says it is. */
export function readBody({ body }: RouteContract, budget: BodyBudget): RequestHandler[] {
  if (body === undefined) return [];
  const taken: readonly BodyType[] = body.kind === "raw" ? body.mediaTypes : ["application/json"];
  const maxBytes = body.kind === "raw" ? (body.maxBytes ?? MAX_BODY_BYTES) : MAX_JSON_BYTES;
  return [
    async (req, res, next) => {
      assertMediaType(req.headers["content-type"], taken);
      const bytes = await readBytes(req, { maxBytes, budget });
      finished(res, () => budget.giveBack(bytes.length));
      req.body = bytes;
      next();
    },
  ];
}

/** What is sent as text or as a form is often JSON all the same, but whoever guesses is wrong one day. */
function assertMediaType(contentType: string | undefined, taken: readonly BodyType[]): void {
  const type = readBodyType(contentType);
  if (type !== null && taken.includes(type)) return;
  throw new AppError({
    status: 415,
    code: "unsupported_media_type",
    title: "The body is of a type that is not taken",
    detail: describeMediaTypeFault(contentType, taken),
    headers: { Accept: taken.join(", ") },
  });
}

/** The body as its contract has it: checked JSON, bytes, or nothing. @throws AppError 400, 422 */
export function parseBody({ body }: RouteContract, received: unknown): unknown {
  if (body === undefined) return undefined;
  const bytes = Buffer.isBuffer(received) ? received : Buffer.alloc(0);
  if (body.kind === "raw") return bytes;
  return parse(body.schema, readDocument(bytes), "/");
}

/** The JSON of a body, before any contract. @throws AppError 400, 422 for text that cannot be stored */
export function readDocument(body: Buffer): unknown {
  const text = decodeBody(body);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new AppError({ status: 400, code: "invalid_json", title: "The body is not JSON" });
  }
  const broken = findBrokenText(document);
  if (broken !== null) throw invalidBody([broken]);
  return document;
}

/**
 * The text of a body. Bytes that are all ASCII, as nearly all are, need no decoding: that is several times faster.
 *
 * @throws AppError 400 when it is not UTF-8: what stands in place of the bad bytes would be stored for good
 */
export function decodeBody(body: Buffer): string {
  if (isAscii(body)) return body.toString("latin1");
  if (isUtf8(body)) return body.toString("utf8").replace(/^\uFEFF/, "");
  throw new AppError({
    status: 400,
    code: "invalid_json",
    title: "The body is not UTF-8",
    detail: `Byte ${findBadByte(body)}, counted from 0, is part of no UTF-8 character. Encode the text as UTF-8.`,
  });
}

/** Place of the first byte that is not UTF-8, at most two bytes late; of a text that is not UTF-8. */
export function findBadByte(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString("utf8"));
  const at = again.findIndex((byte, i) => byte !== bytes[i]);
  return at < 0 ? again.length : at;
}
