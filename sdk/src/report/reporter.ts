import type { AttemptEvent } from "../attempt-event.ts";
import { createDelivery, type DeliveryListener } from "./delivery.ts";
import { createDropCounts, type DropCounts } from "./drop-counts.ts";
import { onProcessExit } from "./exit-hooks.ts";
import type { ProblemCode } from "./judge-answer.ts";
import { createMemoryStore } from "./memory-store.ts";
import { type ReporterOptions, type ReporterSettings, readOptions } from "./options.ts";
import { createPostBatch } from "./post-batch.ts";
import type { Report } from "./report.ts";
import { createSchedule, type Schedule } from "./schedule.ts";
import type { EventStore } from "./store.ts";
import { realSystem, type System } from "./system.ts";
import { createUuidV7 } from "./uuid-v7.ts";
import { createEventWriter, type WrittenEvent } from "./write-event.ts";

/** `reported + adopted` is always the sum of the other four. */
export interface ReporterStats {
  /** Events that were handed to `report`. */
  readonly reported: number;
  /** Events that an earlier process left in the spool. */
  readonly adopted: number;
  /** Events that the server has stored, or had already. */
  readonly stored: number;
  /** Events that the server judged and rejected. */
  readonly rejected: number;
  /** Events that are lost: no room, not to be written as JSON, or in a batch that was refused as a whole. */
  readonly dropped: number;
  /** Events that are still here. */
  readonly waiting: number;
}

export interface Reporter {
  /** Takes an event. Returns at once and never throws, whatever it is given. May be passed on alone. */
  readonly report: Report;
  /**
   * Sends what waits now. Resolves once it has arrived, or a try has failed: then it stays, and is tried again. While
   * such a retry is being waited for it resolves at once. Never rejects.
   */
  flush(): Promise<void>;
  /**
   * Tries once more to send what waits, for `exitTimeoutMs` at the most; then nothing more is taken. Without a spool,
   * what could not be sent is dropped and counted. Never rejects.
   */
  close(): Promise<void>;
  stats(): ReporterStats;
}

/**
 * Sends events to a Busyhour server, in batches and beside the app: it never throws, never blocks, holds a bounded
 * amount of memory, and lets the process end. Options that cannot be used switch it off and say so; the app goes on.
 *
 * @param system the world outside; for tests
 */
export function createReporter(options: ReporterOptions, system: System = realSystem): Reporter {
  const say = createTeller(options, system);
  const settings = readOptions(options);
  if (typeof settings !== "string") return openReporter(options, settings, system, say);
  say("bad_setting", `${settings}; nothing is reported`);
  let reported = 0;
  return {
    report: () => {
      reported++;
    },
    flush: async () => {},
    close: async () => {},
    stats: () => ({ reported, adopted: 0, stored: 0, rejected: 0, dropped: reported, waiting: 0 }),
  };
}

type Say = (code: ProblemCode, message: string) => void;

/** Tells each kind of problem once; who is told may do what they like. */
function createTeller({ onProblem }: ReporterOptions, system: System): Say {
  const told = new Set<ProblemCode>();
  return (code, message) => {
    if (told.has(code)) return;
    told.add(code);
    try {
      if (onProblem === undefined) system.warn(`busyhour: ${message} (${code}; said once)`);
      else onProblem({ code, message });
    } catch {
      // A fault of the listener's is none of the caller's.
    }
  };
}

function openReporter(
  options: ReporterOptions,
  settings: ReporterSettings,
  system: System,
  say: Say,
): Reporter {
  const makeId = createUuidV7((bytes) => system.fillRandom(bytes));
  let ownId: string | undefined;
  const findOwnId = () => {
    ownId ??= makeId(system.now());
    return ownId;
  };
  const books = createBooks(findOwnId, say);
  const { counts, drops } = books;
  const listener = {
    onDrop: drops.add,
    onAdopt(count: number) {
      counts.adopted += count;
      schedule.wake();
    },
    onProblem: say,
  };
  const store =
    options.spool?.(settings, listener, { ...system, reporterId: findOwnId(), note: drops.note }) ??
    createMemoryStore(settings, listener);
  const post = createPostBatch({ ...settings, fetch: options.fetch }, system);
  const schedule = createSchedule({
    ...settings,
    delivery: createDelivery(store, post, books, settings.maxBatchEvents),
    system,
    countWaiting: () => store.waiting,
    hasNews: () => drops.findNews() !== null,
    onProblem: say,
    waitUntil: options.waitUntil,
  });
  const writeEvent = createEventWriter(settings.source, makeId, () => system.now());
  return openDoor({ books, store, schedule, writeEvent, exitTimeoutMs: settings.exitTimeoutMs, say });
}

interface Books extends DeliveryListener {
  readonly counts: { reported: number; adopted: number; stored: number; rejected: number };
  readonly drops: DropCounts;
}

/** What became of every event. */
function createBooks(findOwnId: () => string, say: Say): Books {
  const counts = { reported: 0, adopted: 0, stored: 0, rejected: 0 };
  const drops = createDropCounts(findOwnId);
  return {
    counts,
    drops,
    findNote: drops.findNews,
    onTold: drops.onTold,
    onSettled(stored, rejected) {
      counts.stored += stored;
      counts.rejected += rejected;
    },
    onLost(events) {
      for (const { source } of events) drops.add(source, 1);
    },
    onProblem: say,
  };
}

interface Inside {
  readonly books: Books;
  readonly store: EventStore;
  readonly schedule: Schedule;
  readonly writeEvent: (event: AttemptEvent) => WrittenEvent;
  readonly exitTimeoutMs: number;
  readonly say: Say;
}

function openDoor({ books, store, schedule, writeEvent, exitTimeoutMs, say }: Inside): Reporter {
  const { counts, drops } = books;
  let closing: Promise<void> | null = null;
  let reportedAtExit = -1;

  const hooks: (() => void)[] = [];
  /** Whoever holds events back, to learn more of them, hands them over now. */
  function collect(): void {
    for (const hook of hooks) hook();
  }

  function report(event: AttemptEvent): void {
    counts.reported++;
    const written = writeEvent(event);
    if ("fault" in written) {
      drops.add(written.source, 1);
      say("bad_event", `an event ${written.fault}; it is dropped and counted`);
    } else if (closing !== null) drops.add(written.source, 1);
    else store.add(written);
    if (closing === null) schedule.wake();
  }

  report.onFlush = (hook: () => void) => void hooks.push(hook);

  async function close(): Promise<void> {
    collect();
    await schedule.flushNow(exitTimeoutMs);
    forget();
    schedule.stop();
    await store.close();
  }

  const forget = onProcessExit({
    onIdleExit() {
      collect();
      // The loop runs dry again after the try that this starts; a second one would never let the process end.
      if ((store.waiting === 0 && drops.findNews() === null) || counts.reported === reportedAtExit) return;
      reportedAtExit = counts.reported;
      void schedule.flushNow(exitTimeoutMs);
    },
    onTerminate() {
      collect();
      return schedule.flushNow(exitTimeoutMs);
    },
  });

  return {
    report,
    flush() {
      collect();
      return schedule.flush();
    },
    close() {
      closing ??= close();
      return closing;
    },
    stats: () => ({ ...counts, dropped: drops.total, waiting: store.waiting }),
  };
}
