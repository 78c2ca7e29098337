import { quietly } from "./body-watch.ts";
import type { ObserveOptions } from "./options.ts";
import type { RequestMark } from "./retry-groups.ts";
import { type Address, readAddress, type Target } from "./target.ts";

/** What is known of a call of `fetch` before it is made. */
export interface FetchCall {
  readonly target: Target;
  readonly mark: RequestMark;
  /** Whether the address alone says that the answer is a stream; `null` when it does not say. */
  readonly isStream: boolean | null;
  readonly signal: AbortSignal | null;
  /** The client's own limit, in milliseconds; `null` when nobody says it. */
  readonly timeoutMs: number | null;
}

/** @returns `null` when the call asks no model */
export type ReadFetchCall = (input: RequestInfo | URL, init: RequestInit | undefined) => FetchCall | null;

/** Headers by which clients name a request, the same on each of its attempts. */
const REQUEST_KEYS = [
  "idempotency-key",
  "x-idempotency-key",
  "x-stainless-idempotency-key",
  "amz-sdk-invocation-id",
];
/** Addresses that are remembered: an app asks few. */
const MAX_ADDRESSES = 500;

export function createFetchCallReader(
  options: Pick<ObserveOptions, "provider" | "timeoutMs">,
): ReadFetchCall {
  const addresses = new Map<string, Address | null>();

  function findAddress(text: string): Address | null {
    const known = addresses.get(text);
    if (known !== undefined) return known;
    const url = toUrl(text);
    const named =
      typeof options.provider === "function" && url !== null ? options.provider(url) : options.provider;
    const address = url === null ? null : readAddress(url, typeof named === "string" ? named : undefined);
    if (addresses.size >= MAX_ADDRESSES) addresses.clear();
    addresses.set(text, address);
    return address;
  }

  return (input, init) => {
    const request = typeof input === "object" && "method" in input ? input : null;
    const method = init?.method ?? request?.method;
    if (method !== "POST" && method?.toUpperCase() !== "POST") return null;
    const address = findAddress(request?.url ?? String(input));
    const body = readBody(init?.body);
    const target = address?.findTarget(body);
    if (address === null || !target) return null;
    const header = readerOf(init?.headers ?? request?.headers);
    return {
      target,
      mark: {
        url: address.url,
        body,
        retryCount: readCount(header("x-stainless-retry-count")),
        requestKey: findKey(header),
      },
      isStream: address.isStream,
      signal: init?.signal ?? request?.signal ?? null,
      timeoutMs: options.timeoutMs ?? readLimit(header),
    };
  };
}

function toUrl(text: string): URL | null {
  const base = (globalThis as { location?: { href?: string } }).location?.href;
  return quietly(() => new URL(text, base)) ?? null;
}

function findKey(header: (name: string) => string | null): string | null {
  for (const name of REQUEST_KEYS) {
    const key = header(name);
    if (key !== null) return key;
  }
  return null;
}

/** Text as it is; bytes of text as text. Streams and forms are not touched. */
function readBody(body: BodyInit | null | undefined): string | null {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : null;
}

function readerOf(headers: HeadersInit | undefined): (name: string) => string | null {
  if (headers === undefined) return () => null;
  if (typeof (headers as Headers).get === "function") return (name) => (headers as Headers).get(name);
  const entries = Array.isArray(headers) ? headers : Object.entries(headers as Record<string, string>);
  return (name) => entries.find(([key]) => key?.toLowerCase() === name)?.[1] ?? null;
}

function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null;
}

/** What clients tell of their own time limit, in whole seconds, rounded down. */
function readLimit(header: (name: string) => string | null): number | null {
  const seconds = header("x-stainless-timeout") ?? header("x-server-timeout");
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : null;
}
