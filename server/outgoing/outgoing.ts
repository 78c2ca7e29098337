import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { AllowList } from "./allow-list.ts";
import { checkUrl } from "./check.ts";
import { createHostLookup, type HostLookup, type Resolve } from "./host-lookup.ts";
import { OutgoingError } from "./outgoing-error.ts";

export interface OutgoingOptions {
  readonly allow: AllowList;
  /** From the call to the last byte of the answer; 10 s when left out. */
  readonly timeoutMs?: number;
  /** Of an answer's body; 1 MiB when left out. */
  readonly maxAnswerBytes?: number;
  /** All addresses of a name; the system's own when left out. */
  readonly resolve?: Resolve;
}

export interface OutgoingInit {
  readonly method?: string | undefined;
  readonly headers?: RequestInit["headers"] | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Like `fetch`, for URLs that people enter: a name is looked up once, every address of it must be allowed, and one of
 * these is connected to. Follows no redirect, unpacks nothing, keeps no connection and no cookie.
 *
 * @throws OutgoingError, also when there is no answer in time or the answer is too large
 */
export type OutgoingFetch = (url: string | URL, init?: OutgoingInit) => Promise<Response>;

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

export function createOutgoing(options: OutgoingOptions): OutgoingFetch {
  const { allow, timeoutMs = TIMEOUT_MS, maxAnswerBytes = MAX_ANSWER_BYTES } = options;
  const lookup = guardLookup(createHostLookup(allow, options.resolve));
  return async (where, init = {}) => {
    const url = checkUrl(String(where), allow);
    const body = toBytes(init.body);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init.signal ? AbortSignal.any([timeout, init.signal]) : timeout;
    const request = (url.protocol === "https:" ? https : http).request(url, {
      method: init.method ?? "GET",
      headers: toHeaders(init, body),
      agent: false,
      lookup,
      signal,
      maxHeaderSize: 16_384,
    });
    try {
      return await exchange(request, body, maxAnswerBytes);
    } catch (error) {
      throw toOutgoingError(error, url.hostname, init.signal?.aborted === true ? null : timeout);
    } finally {
      request.destroy();
    }
  };
}

/** Hands the connection only addresses that were checked: it has no name left to look up a second time. */
function guardLookup(lookUp: HostLookup): LookupFunction {
  return (host, { all, family }, callback) => {
    lookUp(host).then(
      (found) => {
        const fitting = found
          .map((address) => ({ address, family: isIP(address) }))
          .filter((one) => !family || one.family === family);
        const [first] = fitting;
        if (all === true) callback(null, fitting);
        else if (first !== undefined) callback(null, first.address, first.family);
        else callback(new Error("the name has no address of this family"), "", 0);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}

function exchange(
  request: http.ClientRequest,
  body: Uint8Array | null,
  maxAnswerBytes: number,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (answer) => {
      const parts: Buffer[] = [];
      let size = 0;
      answer.on("data", (part: Buffer) => {
        size += part.length;
        if (size > maxAnswerBytes) {
          reject(
            new OutgoingError({
              code: "outgoing_too_large",
              message: `The answer passes ${maxAnswerBytes} bytes`,
            }),
          );
          request.destroy();
        } else parts.push(part);
      });
      answer.once("error", reject);
      answer.once("end", () => {
        try {
          resolve(toResponse(answer, Buffer.concat(parts)));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.end(body ?? undefined);
  });
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse(answer: http.IncomingMessage, body: Buffer): Response {
  const status = answer.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(body), {
    status,
    statusText: answer.statusMessage ?? "",
    headers,
  });
}

function toBytes(body: unknown): Uint8Array | null {
  if (body === undefined || body === null) return null;
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string" || body instanceof URLSearchParams) return Buffer.from(String(body));
  throw new TypeError("a body is text, bytes or a form");
}

/** What the connection is about is ours to say, and not the caller's. */
const OWN_HEADERS = ["host", "connection", "content-length", "transfer-encoding", "upgrade", "expect"];

function toHeaders(init: OutgoingInit, body: Uint8Array | null): Record<string, string> {
  const headers = new Headers(init.headers);
  for (const name of OWN_HEADERS) headers.delete(name);
  if (init.body instanceof URLSearchParams && !headers.has("content-type"))
    headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
  headers.set("accept-encoding", "identity");
  if (body !== null) headers.set("content-length", String(body.length));
  if (!headers.has("user-agent")) headers.set("user-agent", "busyhour");
  return Object.fromEntries(headers);
}

/** @param timeout `null` when the caller gave up, who is told by his own reason */
function toOutgoingError(error: unknown, host: string, timeout: AbortSignal | null): unknown {
  if (error instanceof OutgoingError) return error;
  if (timeout === null) return error;
  const place = host.slice(0, 100);
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (timeout.aborted)
    return new OutgoingError({
      code: "outgoing_timeout",
      message: `${place} did not answer in time`,
      cause: error,
    });
  return new OutgoingError({
    code: "outgoing_failed",
    message: `${place} could not be asked${/^[A-Z][A-Z0-9_]+$/.test(code) ? ` (${code})` : ""}`,
    cause: error,
  });
}
