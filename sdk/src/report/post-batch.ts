import { type Answer, judgeAnswer, type Verdict } from "./judge-answer.ts";
import { REPORTER_HEADER, unwrapFetch } from "./own-request.ts";
import { writeBody } from "./pack-body.ts";
import type { ReporterNote, WaitingEvent } from "./store.ts";
import type { System } from "./system.ts";

export interface PostOptions {
  /** Of `POST /v1/attempts`. */
  readonly endpoint: string;
  readonly key: string;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch | undefined;
}

/** Sends events once. Whatever happens is a verdict; nothing is thrown. */
export type PostBatch = (
  events: readonly WaitingEvent[],
  note: ReporterNote | null,
  signal: AbortSignal,
) => Promise<Verdict>;

export function createPostBatch(options: PostOptions, system: System): PostBatch {
  return async (events, note, signal) => {
    const { body, encoding } = await system.pack(writeBody(events, note));
    const limit = new AbortController();
    const abort = () => limit.abort();
    const stopTimer = system.setTimer(abort, options.timeoutMs);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    try {
      const fetch = unwrapFetch(options.fetch ?? system.fetch());
      const response = await fetch(options.endpoint, {
        method: "POST",
        headers: {
          authorization: `Bearer ${options.key}`,
          "content-type": "application/json",
          ...(encoding === null ? {} : { "content-encoding": encoding }),
          [REPORTER_HEADER]: "1",
        },
        body,
        // A followed redirect would turn the POST into a GET, or carry events to a place nobody named.
        redirect: "manual",
        signal: limit.signal,
      });
      return judgeAnswer(await readAnswer(response), system.now());
    } catch (error) {
      const message = signal.aborted
        ? "the server had not answered when the process was to end"
        : limit.signal.aborted
          ? `the server did not answer within ${options.timeoutMs} ms`
          : `the server cannot be reached (${describe(error)})`;
      return { kind: "later", code: "unreachable", message, askedMs: null };
    } finally {
      stopTimer();
      signal.removeEventListener("abort", abort);
    }
  };
}

/** The body is read to its end in any case: a connection with unread bytes is not used again. */
async function readAnswer(response: Response): Promise<Answer> {
  const body = await response.text();
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body };
}

/** Code and words of an error; `fetch failed` alone says nothing, its cause does. */
function describe(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: unknown; message?: unknown }; message?: unknown };
  return String(cause?.code ?? cause?.message ?? message ?? error);
}
