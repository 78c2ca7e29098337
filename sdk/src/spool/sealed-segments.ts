import type { Batch, StoreListener, StoreSystem } from "../report/store.ts";
import { formatNote } from "./segment.ts";
import type { Segment, Segments } from "./segments.ts";

/** A segment as it is sent. */
export interface ReadSegment {
  readonly segment: Segment;
  readonly batch: Batch;
}

/** Finished segments, oldest first. Nothing in it throws. */
export interface SealedSegments {
  /** Events in all of them. */
  readonly events: number;
  /** Finishes the segment that is open. */
  sealOpen(): Promise<void>;
  /** Takes over what processes that are gone have left. */
  adopt(): Promise<void>;
  /** The oldest one that can be read, until it is `done`; `null` when there is none. */
  readOldest(): Promise<ReadSegment | null>;
  done(segment: Segment): Promise<void>;
}

export interface SealedDeps {
  readonly segments: Segments;
  readonly maxBytes: number;
  readonly listener: StoreListener;
  readonly system: StoreSystem;
  readonly onFault: (error: unknown) => void;
}

export function createSealedSegments({
  segments,
  maxBytes,
  listener,
  system,
  onFault,
}: SealedDeps): SealedSegments {
  let sealed: readonly Segment[] = [];
  let events = 0;
  let bytes = 0;
  let reading: Segment | null = null;

  function set(next: readonly Segment[]): void {
    sealed = next;
    events = next.reduce((sum, segment) => sum + segment.events, 0);
    bytes = next.reduce((sum, segment) => sum + segment.bytes, 0);
  }

  async function remove(segment: Segment): Promise<void> {
    set(sealed.filter((one) => one !== segment));
    await segments.remove(segment).catch(onFault);
  }

  /** Drops the oldest that is not under way until the rest has room, and writes down that it did. */
  async function keepWithinBytes(): Promise<void> {
    let hasDropped = false;
    while (bytes > maxBytes) {
      const oldest = sealed.find((segment) => segment !== reading);
      if (oldest === undefined) break;
      hasDropped = true;
      for (const [source, count] of oldest.sources) listener.onDrop(source, count);
      listener.onProblem(
        "dropped",
        `the spool has reached its ${maxBytes} bytes; the oldest events are dropped`,
      );
      await remove(oldest);
    }
    const note = hasDropped ? system.note() : null;
    if (note !== null) await segments.appendNote(formatNote(note)).catch(onFault);
  }

  /** `null`: it is not there, or not to be read. */
  async function read(segment: Segment): Promise<Batch | null> {
    try {
      const { events: found, note, damaged } = await segments.read(segment);
      if (damaged > 0) listener.onProblem("spool", `${damaged} lines of ${segment.file} cannot be read`);
      if (found.length < segment.events) listener.onDrop("", segment.events - found.length);
      segment.events = found.length;
      set(sealed);
      return segment.isAdopted && note !== null ? { events: found, note } : { events: found };
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENOENT") {
        // Somebody has taken it over after a long silence of ours, and sends it.
        set(sealed.filter((one) => one !== segment));
        listener.onAdopt(-segment.events);
      } else {
        onFault(error);
        set([...sealed.filter((one) => one !== segment), segment]);
      }
      return null;
    }
  }

  return {
    get events() {
      return events;
    },
    async sealOpen() {
      const segment = await segments.seal();
      if (segment === null) return;
      if (segment.events === 0) await segments.remove(segment).catch(onFault);
      else set([...sealed, segment]);
      await keepWithinBytes();
    },
    async adopt() {
      const adopted = await segments.adopt().catch((error) => {
        onFault(error);
        return [];
      });
      if (adopted.length === 0) return;
      const [first, ...rest] = sealed;
      set(first === reading && first !== undefined ? [first, ...adopted, ...rest] : [...adopted, ...sealed]);
      listener.onAdopt(adopted.reduce((sum, segment) => sum + segment.events, 0));
      await keepWithinBytes();
    },
    async readOldest() {
      for (let tries = sealed.length; tries > 0; tries--) {
        const segment = sealed[0];
        if (segment === undefined) break;
        reading = segment;
        const batch = await read(segment);
        if (batch !== null && (batch.events.length > 0 || batch.note !== undefined))
          return { segment, batch };
        reading = null;
        if (batch !== null) await remove(segment);
      }
      return null;
    },
    async done(segment) {
      if (segment === reading) reading = null;
      await remove(segment);
    },
  };
}
