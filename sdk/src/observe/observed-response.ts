import type { BodyWatch } from "./body-watch.ts";
import { observeStream } from "./observed-stream.ts";
import { findWatched, listen, setWatched } from "./watched.ts";

type Taker = (this: Response) => Promise<unknown>;

const TAKERS = ["text", "json", "arrayBuffer", "bytes", "blob", "formData"] as const;

/**
 * Lets the response tell when and how its body is consumed. It stays the very object that `fetch` gave, with its class,
 * its fields and its own stream: only a prototype that listens is put before its own.
 */
export function observeResponse(response: Response, watch: BodyWatch): void {
  setWatched(response, { watch, isQuiet: false });
  listen(response, listenBefore);
}

function listenBefore(own: object): object {
  const listening: object = Object.create(own);
  const getBody = (response: Response): ReadableStream<Uint8Array> | null =>
    Reflect.get(own, "body", response);

  define(listening, "body", {
    get(this: Response) {
      const body = getBody(this);
      const watched = findWatched(this);
      if (body !== null && watched !== undefined) observeStream(body, watched);
      return body;
    },
  });
  define(listening, "clone", {
    writable: true,
    value(this: Response) {
      const clone = (Reflect.get(own, "clone", this) as Response["clone"]).bind(this);
      const watched = findWatched(this);
      if (watched === undefined) return clone();
      // The runtime may copy the stream by the method of it that we listen to.
      const wasQuiet = watched.isQuiet;
      watched.isQuiet = true;
      try {
        const copy = clone();
        observeResponse(copy, watched.watch.fork() as BodyWatch);
        return copy;
      } finally {
        watched.isQuiet = wasQuiet;
      }
    },
  });
  for (const name of TAKERS) {
    if (!(name in own)) continue;
    define(listening, name, {
      writable: true,
      value(this: Response) {
        return take(this, Reflect.get(own, name, this) as Taker, getBody);
      },
    });
  }
  return listening;
}

function take(
  response: Response,
  taker: Taker,
  getBody: (response: Response) => ReadableStream | null,
): Promise<unknown> {
  const watched = findWatched(response);
  // A body that is taken already gives an error, which says nothing of the provider.
  if (watched === undefined || response.bodyUsed || getBody(response)?.locked === true)
    return taker.call(response);
  watched.isQuiet = true;
  const { watch } = watched;
  return taker.call(response).then(
    (body) => {
      watch.taken(body);
      return body;
    },
    (error: unknown) => {
      watch.failed(error);
      throw error;
    },
  );
}

function define(target: object, name: string, descriptor: PropertyDescriptor): void {
  Object.defineProperty(target, name, { configurable: true, enumerable: true, ...descriptor });
}
