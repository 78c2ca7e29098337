import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { AttemptEvent } from "@busyhour/sdk";
import { MAX_BODY_BYTES } from "../contract/attempt-event.ts";
import { type Reply, readAnswer, readLimits } from "./http-answer.ts";
import { describeFailure, ImportError } from "./import-error.ts";
import { getRetryDelayMs, MAX_WAIT_MS } from "./retry-delay.ts";
import type { ImportSink, SinkAnswer } from "./sink.ts";
import { sleepFor } from "./sleep-for.ts";

export interface HttpSinkOptions {
  /** Where the server is, with or without a path before `/v1`. */
  readonly url: string;
  /** An ingest or admin key. */
  readonly key: string;
  /** Another key to go on with when the server does not know this one any more: it may have been restarted. */
  readonly findNewKey?: () => string | null;
  /** Slug of the project, where the key is not bound to one. */
  readonly project?: string;
  /** For the line that says that the server is busy. */
  readonly say: (line: string) => void;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
  /** Returns early, without throwing, when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Ends the waiting for a busy server; a request that is under way is finished. */
  readonly signal: AbortSignal;
}

/** Before the first row a server that is not there is more likely a wrong address. */
const MAX_FIRST_WAIT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** The server is busy, restarting or behind a proxy that is; the same request may pass later. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const pack = promisify(gzip);

/**
 * Sends events to a running server, `POST {url}/v1/attempts` as NDJSON; gzipped, unless it is on this machine.
 *
 * A busy or unreachable server is tried again for about two minutes per batch, `Retry-After` is honoured, and a
 * batch that is too large is halved. Every event has an id, so sending one again is harmless.
 *
 * @throws ImportError when the URL is none
 */
export function createHttpSink(options: HttpSinkOptions): ImportSink {
  const { say, signal, now = Date.now, sleep = sleepFor } = options;
  const url = options.url.replace(/\/+$/, "").replace(/\/v1(?:\/attempts)?$/, "");
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")) {
    throw new ImportError(`--url ${options.url}: must begin with http:// or https://`);
  }
  const request = options.fetch ?? fetch;
  let { key } = options;
  const query = options.project === undefined ? "" : `?project=${encodeURIComponent(options.project)}`;
  const isNear = LOOPBACK.has(new URL(url).hostname);
  let saidAt = Number.NEGATIVE_INFINITY;

  /** Three batches meet the same busy server: one line is enough. */
  function sayWaiting(why: string, delayMs: number): void {
    if (now() - saidAt < 2_000) return;
    saidAt = now();
    say(`${url} ${why}: trying again in ${Math.max(1, Math.round(delayMs / 1000))} s`);
  }

  async function call(path: string, init: RequestInit, maxWaitMs: number): Promise<Reply> {
    let waitedMs = 0;
    for (let tries = 1; ; tries++) {
      const { reply, why } = await tryOnce(path, init);
      if (reply?.status === 401 && takeNewKey()) continue;
      if (reply !== null && !PASSING.has(reply.status)) return reply;
      const delayMs = getRetryDelayMs(tries, reply?.retryAfter ?? null, now());
      if (waitedMs + delayMs > maxWaitMs || signal.aborted) {
        throw new ImportError(`${url} ${why}; tried ${tries} times in ${Math.round(waitedMs / 1000)} s`);
      }
      sayWaiting(why, delayMs);
      await sleep(delayMs, signal);
      waitedMs += delayMs;
    }
  }

  function takeNewKey(): boolean {
    const found = options.findNewKey?.() ?? null;
    if (found === null || found === key) return false;
    key = found;
    return true;
  }

  async function tryOnce(path: string, init: RequestInit): Promise<{ reply: Reply | null; why: string }> {
    try {
      const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      const response = await request(`${url}${path}`, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${key}` },
        signal: timeout,
      });
      const { status, headers } = response;
      const reply = { status, retryAfter: headers.get("retry-after"), text: await response.text() };
      return { reply, why: `is busy (${status})` };
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      return { reply: null, why: `cannot be reached (${describeFailure(cause)})` };
    }
  }

  async function sendLines(lines: readonly string[]): Promise<SinkAnswer> {
    const body = `${lines.join("\n")}\n`;
    if (Buffer.byteLength(body) > MAX_BODY_BYTES && lines.length > 1) return sendHalves(lines);
    const init = {
      method: "POST",
      headers: {
        "content-type": "application/x-ndjson",
        ...(isNear ? {} : { "content-encoding": "gzip" }),
      },
      body: isNear ? body : new Uint8Array(await pack(body, { level: 1 })),
    };
    const reply = await call(`/v1/attempts${query}`, init, MAX_WAIT_MS);
    if (reply.status === 413) return lines.length > 1 ? sendHalves(lines) : TOO_LARGE;
    return readAnswer(reply, url);
  }

  async function sendHalves(lines: readonly string[]): Promise<SinkAnswer> {
    const middle = Math.ceil(lines.length / 2);
    const first = await sendLines(lines.slice(0, middle));
    const second = await sendLines(lines.slice(middle));
    return {
      accepted: first.accepted + second.accepted,
      duplicates: first.duplicates + second.duplicates,
      rejected: [
        ...first.rejected,
        ...second.rejected.map((rejection) => ({ ...rejection, index: rejection.index + middle })),
      ],
    };
  }

  return {
    describe: () => url,
    async limits() {
      return readLimits(await call(`/v1/limits${query}`, {}, MAX_FIRST_WAIT_MS), url);
    },
    send: (events: readonly AttemptEvent[]) => sendLines(events.map((event) => JSON.stringify(event))),
    finish: async () => {},
  };
}

const TOO_LARGE: SinkAnswer = {
  accepted: 0,
  duplicates: 0,
  rejected: [{ index: 0, pointer: "", detail: "is too large for the server" }],
};
