import type { ProblemCode } from "./judge-answer.ts";
import type { OpenStore } from "./store.ts";

/** Something that keeps events from arriving. Each code is told once in a reporter's life. */
export interface ReporterProblem {
  readonly code: ProblemCode;
  /** What happened, for people. */
  readonly message: string;
}

export interface ReporterOptions {
  /** Address of the Busyhour server, such as `https://busyhour.example.com`; it may end in a path. */
  readonly url: string;
  /** A key of kind `ingest`. */
  readonly key: string;
  /** The app or service, for events that name none. */
  readonly source?: string | undefined;
  /** Longest time that an event waits for its batch to fill, milliseconds. Default: 2,000. */
  readonly flushIntervalMs?: number | undefined;
  /** Events in one request. Default: 500; at most 10,000. */
  readonly maxBatchEvents?: number | undefined;
  /** Events that may wait in memory; one batch under way comes on top. Default: 10,000. */
  readonly maxWaitingEvents?: number | undefined;
  /** Length of all waiting events as JSON, in characters. Default: 8,388,608. */
  readonly maxWaitingBytes?: number | undefined;
  /** Longest wait for an answer, milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Longest delay of the process's end by `close()` and by SIGTERM, milliseconds. Default: 2,000. */
  readonly exitTimeoutMs?: number | undefined;
  /** Keeps a serverless runtime alive: `waitUntil` of `@vercel/functions` or `cloudflare:workers`. */
  readonly waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
  /** Keeps events on disk until they have arrived: `createSpool` of `@busyhour/sdk/spool`. */
  readonly spool?: OpenStore | undefined;
  /** Hears of problems instead of `console.warn`. */
  readonly onProblem?: ((problem: ReporterProblem) => void) | undefined;
  /** Sends instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface ReporterSettings {
  readonly endpoint: string;
  readonly key: string;
  readonly source: string | undefined;
  readonly flushIntervalMs: number;
  readonly maxBatchEvents: number;
  readonly maxBatchBytes: number;
  readonly maxWaitingEvents: number;
  readonly maxWaitingBytes: number;
  readonly timeoutMs: number;
  readonly exitTimeoutMs: number;
}

/** Half a batch's room of the server's 8 MiB would do; smaller ones are packed and judged without a pause. */
const MAX_BATCH_BYTES = 1_048_576;

/** The settings, or what is wrong with the options. Numbers that make no sense are replaced by their defaults. */
export function readOptions(options: ReporterOptions): ReporterSettings | string {
  const { url, key, source } = options;
  const endpoint = toEndpoint(url);
  if (endpoint === null) return `url must be the server's http(s) address, but it is ${quote(url)}`;
  if (typeof key !== "string" || key.trim() === "") return "key must be an ingest key, but it is missing";
  return {
    endpoint,
    key: key.trim(),
    source: typeof source === "string" && source !== "" ? source : undefined,
    flushIntervalMs: atLeast(0, options.flushIntervalMs, 2_000),
    maxBatchEvents: Math.min(10_000, atLeast(1, options.maxBatchEvents, 500)),
    maxBatchBytes: MAX_BATCH_BYTES,
    maxWaitingEvents: atLeast(1, options.maxWaitingEvents, 10_000),
    maxWaitingBytes: atLeast(1, options.maxWaitingBytes, 8_388_608),
    timeoutMs: atLeast(1, options.timeoutMs, 10_000),
    exitTimeoutMs: atLeast(0, options.exitTimeoutMs, 2_000),
  };
}

function toEndpoint(url: unknown): string | null {
  if (typeof url !== "string" || !URL.canParse(url)) return null;
  const { protocol, origin, pathname } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return null;
  const base = pathname.replace(/\/+$/, "").replace(/\/v1(?:\/attempts)?$/, "");
  return `${origin}${base}/v1/attempts`;
}

function quote(value: unknown): string {
  return typeof value === "string" ? `“${value.slice(0, 100)}”` : typeof value;
}

function atLeast(least: number, value: number | undefined, fallback: number): number {
  return typeof value === "number" && value >= least ? Math.floor(value) : fallback;
}
