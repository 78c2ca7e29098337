import { findWatched, listen, setWatched, type Watched } from "./watched.ts";

type Stream = ReadableStream<Uint8Array>;
type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Lets the stream tell what is read from it. It stays the very stream that it was: who reads, pulls from its own source,
 * and who cancels, cancels that.
 */
export function observeStream(stream: ReadableStream<unknown>, watched: Watched): void {
  if (findWatched(stream) !== undefined) return;
  setWatched(stream, watched);
  listen(stream, listenToStream);
}

/** A stream that answers for itself: nobody is to hear of it, or it will refuse what is asked. */
const isPlain = (stream: Stream) => stream.locked || findWatched(stream)?.isQuiet !== false;

function listenToStream(own: object): object {
  const proto = own as Stream;
  return Object.create(own, {
    getReader: method(function (this: Stream, ...options: [ReadableStreamGetReaderOptions?]) {
      const isHeard = !isPlain(this);
      const reader = Reflect.apply(proto.getReader, this, options) as Reader;
      if (isHeard) observeReader(reader, findWatched(this) as Watched);
      return reader;
    }),
    cancel: method(function (this: Stream, ...reason: [unknown?]) {
      if (!isPlain(this)) findWatched(this)?.watch.cancelled();
      return proto.cancel.apply(this, reason);
    }),
    // A runtime moves bytes between streams without asking for a reader that we could hear: one more stream in between
    // asks for it. It holds nothing, so whoever is slow is as slow as before.
    tee: method(function (this: Stream) {
      return isPlain(this) ? proto.tee.call(this) : passOn(this).stream.tee();
    }),
    pipeThrough: method(function (this: Stream, ...pair: [ReadableWritablePair, StreamPipeOptions?]) {
      return isPlain(this) ? proto.pipeThrough.apply(this, pair) : passOn(this).stream.pipeThrough(...pair);
    }),
    pipeTo: method(function (this: Stream, ...destination: [WritableStream, StreamPipeOptions?]) {
      if (isPlain(this)) return proto.pipeTo.apply(this, destination);
      const { stream, release } = passOn(this);
      return stream.pipeTo(...destination).finally(release);
    }),
    values: method(iterate),
    [Symbol.asyncIterator]: method(iterate),
  });
}

/** Prototypes of a runtime without asynchronous iteration of streams get it here, which harms nobody. */
function iterate(this: Stream, options?: { preventCancel?: boolean }): AsyncIterableIterator<Uint8Array> {
  const reader = this.getReader();
  let isOver = false;
  const close = () => {
    isOver = true;
    reader.releaseLock();
  };
  return {
    next() {
      if (isOver) return Promise.resolve({ done: true, value: undefined });
      return reader.read().then(
        (result) => {
          if (result.done) close();
          return result as IteratorResult<Uint8Array>;
        },
        (error: unknown) => {
          close();
          throw error;
        },
      );
    },
    async return(value?: unknown) {
      if (!isOver) {
        const cancelled = options?.preventCancel === true ? undefined : reader.cancel(value);
        close();
        await cancelled;
      }
      return { done: true, value };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The same bytes through a stream of ours, pulled one by one from the one that is heard. */
function passOn(from: Stream): { stream: Stream; release: () => void } {
  const reader = from.getReader();
  const release = () => reader.releaseLock();
  const source = {
    async pull(controller: ReadableByteStreamController | ReadableStreamDefaultController<Uint8Array>) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        release();
        throw error;
      });
      if (!done) {
        controller.enqueue(value as Uint8Array<ArrayBuffer>);
        return;
      }
      release();
      controller.close();
      if ("byobRequest" in controller) controller.byobRequest?.respond(0);
    },
    async cancel(reason: unknown) {
      const cancelled = reader.cancel(reason);
      release();
      await cancelled;
    },
  };
  return { stream: new ReadableStream<Uint8Array>(source, { highWaterMark: 0 }), release };
}

/** A reader that was let go: what is still asked of it fails, which says nothing of the body. */
const RELEASED = new WeakSet<object>();

function observeReader(reader: Reader, watched: Watched): void {
  setWatched(reader, watched);
  listen(reader, listenToReader);
}

function listenToReader(own: object): object {
  const proto = own as Reader;
  return Object.create(own, {
    read: method(function (this: Reader, ...view: []) {
      const watch = findWatched(this)?.watch;
      return proto.read.apply(this, view).then(
        (result) => {
          if (result.done) watch?.ended();
          else watch?.chunk(result.value as never);
          return result;
        },
        (error: unknown) => {
          if (!RELEASED.has(this)) watch?.failed(error);
          throw error;
        },
      );
    }),
    cancel: method(function (this: Reader, ...reason: [unknown?]) {
      if (!RELEASED.has(this)) findWatched(this)?.watch.cancelled();
      return proto.cancel.apply(this, reason);
    }),
    releaseLock: method(function (this: Reader) {
      proto.releaseLock.call(this);
      RELEASED.add(this);
      findWatched(this)?.watch.released();
    }),
  });
}

function method(value: unknown): PropertyDescriptor {
  return { configurable: true, writable: true, enumerable: false, value };
}
