import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { Request, Response } from "express";
import type { Rejection } from "../contract/attempt-event.ts";
import type { AppError } from "../http/app-error.ts";
import { readBodyType } from "../http/media-type.ts";

export const PROTOBUF = "application/x-protobuf";

/** The encoding of a request, which is that of its answer. One that is not taken is answered in JSON. */
export function encodingOf({ headers }: Pick<Request, "headers">): typeof PROTOBUF | "application/json" {
  return readBodyType(headers["content-type"]) === PROTOBUF ? PROTOBUF : "application/json";
}

/** What was not stored, in the words of an `ExportTracePartialSuccess`; `null` when all was. */
export interface PartialSuccess {
  readonly rejectedSpans: number;
  readonly errorMessage: string;
}

const MAX_REASONS = 3;

/** One message for all that was rejected: how many, and the first few reasons. */
export function toPartialSuccess(rejected: readonly Rejection[]): PartialSuccess | null {
  if (rejected.length === 0) return null;
  const reasons = new Set(rejected.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()));
  const more = reasons.size > MAX_REASONS ? ` (and ${reasons.size - MAX_REASONS} other reasons)` : "";
  return {
    rejectedSpans: rejected.length,
    errorMessage: `${rejected.length} model calls were not stored: ${[...reasons].slice(0, MAX_REASONS).join("; ")}${more}`,
  };
}

/** Sends an `ExportTraceServiceResponse`: an empty one when all went well. */
export function sendAnswer(req: Request, res: Response, partial: PartialSuccess | null): void {
  res.status(200);
  if (encodingOf(req) === PROTOBUF) {
    res.type(PROTOBUF).end(partial === null ? Buffer.alloc(0) : encodePartialSuccess(partial));
  } else {
    // A 64-bit integer is a text in protobuf's JSON.
    const partialSuccess =
      partial === null ? undefined : { ...partial, rejectedSpans: String(partial.rejectedSpans) };
    res.json(partialSuccess === undefined ? {} : { partialSuccess });
  }
}

function encodePartialSuccess({ rejectedSpans, errorMessage }: PartialSuccess): Uint8Array {
  return new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .fork()
    .tag(1, WireType.Varint)
    .int64(rejectedSpans)
    .tag(2, WireType.LengthDelimited)
    .string(errorMessage)
    .join()
    .finish();
}

/** Codes of `google.rpc.Status` by HTTP status. */
const RPC_CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  413: 8,
  415: 3,
  422: 3,
  429: 8,
  500: 13,
  503: 14,
};
const RPC_UNKNOWN = 2;

/** Sends a planned failure as a `google.rpc.Status`, in the encoding of the request. */
export function sendStatus(req: Request, res: Response, error: AppError): void {
  const code = RPC_CODES[error.status] ?? RPC_UNKNOWN;
  const faults = error.errors?.map(({ pointer, detail }) => `${pointer} ${detail}`) ?? [];
  const words = [error.detail, ...faults].filter((part) => part !== undefined);
  const message = words.length === 0 ? error.title : `${error.title}: ${words.join("; ")}`;
  res.set(error.headers).status(error.status);
  if (encodingOf(req) === PROTOBUF) {
    const status = new BinaryWriter()
      .tag(1, WireType.Varint)
      .int32(code)
      .tag(2, WireType.LengthDelimited)
      .string(message)
      .finish();
    res.type(PROTOBUF).end(status);
  } else res.json({ code, message });
}
