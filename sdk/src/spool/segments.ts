import fs from "node:fs/promises";
import path from "node:path";
import type { WaitingEvent } from "../report/store.ts";
import { BEAT_MS, beat, idOfOwnerFile, isAlive, ownerFile, removeOwner } from "./owner.ts";
import { formatLines, ownerOfSegment, parseSegment, type SegmentContent, toSegmentName } from "./segment.ts";

/** A file of events, and what is known of it without reading it. */
export interface Segment {
  readonly file: string;
  /** Whether it was begun by a process that is gone; its note is news then. */
  readonly isAdopted: boolean;
  events: number;
  bytes: number;
  /** Events by source. */
  readonly sources: Map<string, number>;
}

/** The segments of one owner in a folder that it may share. Its functions throw what the file system says. */
export interface Segments {
  /** Appends to the segment that is open, and opens one when there is none. */
  append(events: readonly WaitingEvent[]): Promise<Segment>;
  /** Appends a line that is no event. */
  appendNote(line: string): Promise<void>;
  /** What is open is finished: it may be read, and the next append opens another. `null`: nothing was open. */
  seal(): Promise<Segment | null>;
  readonly open: Segment | null;
  read(segment: Segment): Promise<SegmentContent>;
  remove(segment: Segment): Promise<void>;
  /** Says that the owner lives. */
  beat(): Promise<void>;
  /** Whether it has not said so for so long that others may have taken its files, the open one too. */
  readonly wasSilent: boolean;
  /** Takes over the segments of owners that are gone, oldest first. */
  adopt(): Promise<Segment[]>;
  /** A name that no segment has yet, for whoever writes while the process exits. */
  nextFile(): string;
  readonly ownerFile: string;
  release(): Promise<void>;
}

export function createSegments(folder: string, ownerId: string, now: () => number): Segments {
  let handle: fs.FileHandle | null = null;
  let open: Segment | null = null;
  let number = 0;
  let beatAtMs = Number.NEGATIVE_INFINITY;

  const nextFile = () => path.join(folder, toSegmentName(ownerId, number++));
  const newSegment = (file: string, isAdopted: boolean): Segment => ({
    file,
    isAdopted,
    events: 0,
    bytes: 0,
    sources: new Map(),
  });

  async function openOne(): Promise<{ handle: fs.FileHandle; open: Segment }> {
    if (handle === null || open === null) {
      const file = nextFile();
      handle = await fs.open(file, "wx", 0o600);
      open = newSegment(file, false);
    }
    return { handle, open };
  }

  /** @returns `null` when somebody else was first, or nothing is in it: its process ended before it had written a line */
  async function claim(name: string): Promise<Segment | null> {
    const segment = newSegment(nextFile(), true);
    try {
      // Of several who try, the file system lets one.
      await fs.rename(path.join(folder, name), segment.file);
    } catch {
      return null;
    }
    const { events, note, damaged } = parseSegment(await fs.readFile(segment.file, "utf8"));
    if (events.length === 0 && note === null && damaged === 0) {
      await fs.rm(segment.file, { force: true });
      return null;
    }
    countInto(segment, events);
    segment.bytes = (await fs.stat(segment.file)).size;
    return segment;
  }

  return {
    async append(events) {
      const current = await openOne();
      const text = formatLines(events);
      await current.handle.appendFile(text);
      countInto(current.open, events);
      current.open.bytes += text.length;
      return current.open;
    },
    async appendNote(line) {
      const current = await openOne();
      await current.handle.appendFile(line);
      current.open.bytes += line.length;
    },
    async seal() {
      const sealed = open;
      const closing = handle;
      open = handle = null;
      await closing?.close().catch(() => {});
      return sealed;
    },
    get open() {
      return open;
    },
    async read(segment) {
      const content = parseSegment(await fs.readFile(segment.file, "utf8"));
      // A write that failed half-way may have left more than was counted; those events are written elsewhere too.
      return segment.isAdopted ? content : { ...content, events: content.events.slice(0, segment.events) };
    },
    async remove(segment) {
      await fs.rm(segment.file, { force: true });
    },
    async beat() {
      await beat(folder, ownerId, now());
      beatAtMs = now();
    },
    get wasSilent() {
      return now() - beatAtMs > 2 * BEAT_MS;
    },
    async adopt() {
      const names = (await fs.readdir(folder)).sort();
      const owners = new Set(names.flatMap((name) => ownerOfSegment(name) ?? idOfOwnerFile(name) ?? []));
      owners.delete(ownerId);
      const adopted: Segment[] = [];
      for (const owner of owners) {
        if (await isAlive(folder, owner, now())) continue;
        for (const name of names.filter((one) => ownerOfSegment(one) === owner)) {
          const segment = await claim(name);
          if (segment !== null) adopted.push(segment);
        }
        await removeOwner(folder, owner);
      }
      return adopted;
    },
    nextFile,
    ownerFile: ownerFile(folder, ownerId),
    release: () => removeOwner(folder, ownerId),
  };
}

function countInto(segment: Segment, events: readonly WaitingEvent[]): void {
  segment.events += events.length;
  for (const { source } of events) segment.sources.set(source, (segment.sources.get(source) ?? 0) + 1);
}
