import { quietly } from "./body-watch.ts";
import type { ObserveSystem } from "./options.ts";

/** As much of an error's body as is read ahead and looked at. */
const READ_AHEAD_BYTES = 16_384;
/** How long an error's body is waited for before its attempt is told of without it. */
const PATIENCE_MS = 5_000;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A failed answer that is read whether its caller reads it or not: clients throw the body of a failure away that they
 * are about to repeat, yet it says why it failed. At most 16 kB are read ahead of the caller, who gets them all.
 *
 * @param onRead called once with what the body said, and with the error should it have broken off
 * @returns what the caller gets in place of `response`; the very same where nothing can be read ahead
 */
export function readAhead(
  response: Response,
  system: Pick<ObserveSystem, "setTimer">,
  onRead: (text: string, error?: unknown) => void,
): Response {
  const body = response.body;
  if (body === null || typeof body.getReader !== "function" || body.locked) {
    onRead("");
    return response;
  }
  const told = tellOnce(system, onRead);
  const reader = body.getReader() as ReadableStreamDefaultReader<Bytes>;
  const Own = response.constructor as typeof Response;
  const { status, statusText, headers } = response;
  return dress(new Own(open(reader, told), { status, statusText, headers }), response);
}

interface Told {
  readonly keep: (chunk: Uint8Array) => void;
  readonly done: (error?: unknown) => void;
  readonly isDone: () => boolean;
}

function tellOnce(
  system: Pick<ObserveSystem, "setTimer">,
  onRead: (text: string, error?: unknown) => void,
): Told {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  let isDone = false;
  const done = (error?: unknown) => {
    if (isDone) return;
    isDone = true;
    cancelTimer();
    quietly(() => onRead(text, error));
  };
  const cancelTimer = system.setTimer(() => done(), PATIENCE_MS);
  return {
    keep(chunk) {
      if (isDone) return;
      text += decoder.decode(chunk.subarray(0, READ_AHEAD_BYTES - bytes), { stream: true });
      bytes += chunk.length;
      if (bytes >= READ_AHEAD_BYTES) done();
    },
    done,
    isDone: () => isDone,
  };
}

function open(reader: ReadableStreamDefaultReader<Bytes>, told: Told): ReadableStream<Bytes> {
  const source = {
    async pull(controller: ReadableByteStreamController | ReadableStreamDefaultController<Bytes>) {
      const result = await reader.read().catch((error: unknown) => {
        told.done(error);
        throw error;
      });
      if (result.done) {
        told.done();
        controller.close();
        if ("byobRequest" in controller) controller.byobRequest?.respond(0);
        return;
      }
      told.keep(result.value);
      controller.enqueue(result.value);
    },
    /** The caller is told at once that it is over; what is left of a short error is still read. */
    cancel(reason: unknown) {
      void drain(reader, told, reason);
    },
  };
  try {
    return new ReadableStream({ type: "bytes", ...source }, { highWaterMark: READ_AHEAD_BYTES });
  } catch {
    // Runtimes without byte streams count chunks.
    return new ReadableStream<Bytes>(source, { highWaterMark: 4 });
  }
}

async function drain(reader: ReadableStreamDefaultReader<Bytes>, told: Told, reason: unknown): Promise<void> {
  try {
    while (!told.isDone()) {
      const { done, value } = await reader.read();
      if (done) break;
      told.keep(value);
    }
    told.done();
    await reader.cancel(reason);
  } catch (error) {
    told.done(error);
  }
}

/** Gives a response the fields that a constructed one cannot have. */
function dress(response: Response, like: Pick<Response, "url" | "redirected" | "type">): Response {
  const { url, redirected, type } = like;
  const clone = response.clone;
  return Object.defineProperties(response, {
    url: { configurable: true, enumerable: true, value: url },
    redirected: { configurable: true, enumerable: true, value: redirected },
    type: { configurable: true, enumerable: true, value: type },
    clone: {
      configurable: true,
      writable: true,
      value: () => dress(clone.call(response), { url, redirected, type }),
    },
  });
}
