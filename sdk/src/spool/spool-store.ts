import { createMemoryStore } from "../report/memory-store.ts";
import type {
  Batch,
  EventStore,
  StoreLimits,
  StoreListener,
  StoreSystem,
  WaitingEvent,
} from "../report/store.ts";
import { BEAT_MS } from "./owner.ts";
import { createSealedSegments } from "./sealed-segments.ts";
import type { Segment, Segments } from "./segments.ts";

/** How long a folder that could not be written is left alone. */
const RETRY_MS = 5_000;

export interface SpoolStore extends EventStore {
  /** Gives up the events that are not on disk yet: at the last moment of the process somebody else writes them. */
  takeUnwritten(): WaitingEvent[];
}

export interface SpoolDeps {
  readonly segments: Segments;
  readonly maxBytes: number;
  readonly limits: StoreLimits;
  readonly listener: StoreListener;
  readonly system: StoreSystem;
}

/** The batch under way: a segment's, or, while the folder cannot be written, one from memory. */
interface Lent {
  readonly batch: Batch;
  readonly segment: Segment | null;
  settled: number;
}

/**
 * Events go to memory first, from there to disk as soon as the write before has ended, and are sent from disk, a
 * segment at a time. Memory holds the events of one write and of one batch, however long the server is away.
 */
export function createSpoolStore({ segments, maxBytes, limits, listener, system }: SpoolDeps): SpoolStore {
  const front = createMemoryStore(limits, listener);
  const sealed = createSealedSegments({ segments, maxBytes, listener, system, onFault });
  let lent: Lent | null = null;
  let lending: Promise<void> | null = null;
  let pumping: Promise<void> | null = null;
  /** How many events of the front's batch are on disk. */
  let written = 0;
  let brokenUntilMs = Number.NEGATIVE_INFINITY;

  /** Events that were lent from memory are still there, and must not be written behind the sender's back. */
  const mayWrite = () => front.waiting > 0 && lent?.segment !== null && system.now() >= brokenUntilMs;

  function onFault(error: unknown): void {
    brokenUntilMs = system.now() + RETRY_MS;
    const words = (error as { message?: unknown }).message ?? error;
    listener.onProblem("spool", `the spool cannot be used (${words}); events wait in memory`);
  }

  /** Writes what waits now; what is added meanwhile goes with the next write, for which nobody here waits. */
  function pump(): Promise<void> {
    pumping ??= ready
      .then(writeFront)
      .catch(async (error) => {
        onFault(error);
        await sealed.sealOpen();
      })
      .then(() => {
        pumping = null;
        if (mayWrite()) void pump();
      });
    return pumping;
  }

  async function writeFront(): Promise<void> {
    for (let left = front.waiting; left > 0 && mayWrite(); ) {
      if (segments.wasSilent) await sealed.sealOpen();
      const batch = front.next() as Batch;
      const room = Math.max(1, limits.maxBatchEvents - (segments.open?.events ?? 0));
      const part = batch.events.slice(written, written + room);
      const { events, bytes } = await segments.append(part);
      left -= part.length;
      written += part.length;
      if (written >= batch.events.length) written = 0;
      front.settle(batch, part.length);
      if (events >= limits.maxBatchEvents || bytes >= limits.maxBatchBytes) await sealed.sealOpen();
    }
  }

  async function lend(): Promise<void> {
    await pump();
    const segment = (await sealed.readOldest()) ?? (await sealed.sealOpen().then(sealed.readOldest));
    if (segment !== null) lent = { ...segment, settled: 0 };
    else if (pumping === null) {
      // Nothing on disk, no write under way, and perhaps still events in memory: the folder cannot be written.
      const events = front.next()?.events.slice(written) ?? [];
      if (events.length > 0) lent = { batch: { events }, segment: null, settled: 0 };
    }
    lending = null;
  }

  const heart = createHeartbeat(system, async () => {
    if (segments.wasSilent) {
      await pumping;
      await sealed.sealOpen();
    }
    await segments.beat().catch(onFault);
    await sealed.adopt();
  });
  const ready = heart.first;

  return {
    get waiting() {
      const settled = lent?.segment == null ? 0 : lent.settled;
      return front.waiting + (segments.open?.events ?? 0) + sealed.events - settled;
    },
    add(event) {
      front.add(event);
      if (pumping === null && mayWrite()) void pump();
    },
    async next() {
      if (lent === null) {
        // Who asks while somebody else does gets the same batch, or it would be settled once and sent twice.
        lending ??= lend();
        await lending;
      }
      return lent?.batch ?? null;
    },
    async settle(batch, count) {
      if (lent === null || lent.batch !== batch) return;
      const { segment } = lent;
      lent.settled += count;
      if (segment === null) settleInFront(count);
      if (lent.settled < batch.events.length) return;
      lent = null;
      if (segment !== null) await sealed.done(segment);
    },
    takeUnwritten() {
      const rest: WaitingEvent[] = [];
      for (let batch = front.next(); batch !== null; batch = front.next()) {
        const events = batch.events.slice(written);
        rest.push(...events);
        settleInFront(events.length);
      }
      return rest;
    },
    async close() {
      heart.stop();
      lent = null;
      brokenUntilMs = Number.NEGATIVE_INFINITY;
      await pump();
      await sealed.sealOpen();
      await front.close();
      await segments.release().catch(onFault);
    },
  };

  function settleInFront(count: number): void {
    const batch = front.next();
    if (batch === null) return;
    written = written + count < batch.events.length ? written + count : 0;
    front.settle(batch, count);
  }
}

/** Calls back now and then, a while after the last call has ended. */
function createHeartbeat(system: StoreSystem, onBeat: () => Promise<void>) {
  let isStopped = false;
  let cancel = () => {};
  const run = async (): Promise<void> => {
    await onBeat();
    if (!isStopped) cancel = system.setTimer(() => void run(), BEAT_MS);
  };
  return {
    first: run(),
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
