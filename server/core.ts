import { connect, type Sql } from "../db/connect.ts";
import { createDb, type Db } from "../db/drizzle.ts";
import type { ConnectionTarget } from "../db/open-database.ts";
import { type Classifiers, createClassifiers } from "./classification/classifiers.ts";
import type { Attempt } from "./ingest/attempt.ts";
import { createDictionary, type Dictionary } from "./ingest/dictionary.ts";
import { createNoteDrops } from "./ingest/drops.ts";
import { createIngest, type Ingest } from "./ingest/ingest.ts";
import { createIngestQueue } from "./ingest/queue.ts";
import { createSourceStates, type SourceStates } from "./ingest/source-states.ts";
import { createStore } from "./ingest/store.ts";
import type { AllowList } from "./outgoing/allow-list.ts";
import { createOutgoing, type OutgoingFetch } from "./outgoing/outgoing.ts";
import { createPartitionKeeper, toDayNumber } from "./retention/partitions.ts";
import type { Keyring } from "./secrets/keyring.ts";
import { createSecrets, type Secrets } from "./secrets/secrets.ts";
import { createSourceWays, type SourceWays } from "./sources/source-ways.ts";
import { EVENTS } from "./sources/way.ts";

/** What server and commands do their work with: pools on one database, and the way in for attempts. */
export interface Core {
  /** Questions of people and scripts; each statement is given 30 seconds. */
  readonly readSql: Sql;
  /** Jobs and long work. */
  readonly jobSql: Sql;
  /** The queue of work that can wait. */
  readonly queueSql: Sql;
  /** Single rows. */
  readonly db: Db;
  readonly dictionary: Dictionary;
  readonly classifiers: Classifiers;
  /** Writes what was noticed of sources and gathers in memory. */
  readonly flushSources: () => Promise<void>;
  readonly ingest: Ingest;
  /** What must be read back, encrypted at rest. */
  readonly secrets: Secrets;
  /** The one way to call what people name: guarded against calls into our own network. */
  readonly outgoing: OutgoingFetch;
  /** Stores attempts that are parsed already; resolves after commit. */
  readonly store: (projectId: number, attempts: readonly Attempt[]) => Promise<void>;
  /** Waits for what is under way, then closes the pools. */
  close(): Promise<void>;
}

export interface CoreOptions {
  readonly target: ConnectionTarget;
  readonly rawRetentionDays: number;
  readonly keyring: Keyring;
  readonly outgoingAllow: AllowList;
  readonly now: () => number;
  readonly onStored?: () => void;
}

const READ_TIMEOUT_MS = 30_000;
const INGEST_TIMEOUT_MS = 20_000;

export function createCore(options: CoreOptions): Core {
  const { target, rawRetentionDays, now, onStored } = options;
  const ingestSql = connect(target, { max: 4, name: "ingest", statementTimeoutMs: INGEST_TIMEOUT_MS });
  const readSql = connect(target, {
    max: 5,
    name: "read",
    statementTimeoutMs: READ_TIMEOUT_MS,
    plansByValue: true,
  });
  const jobSql = connect(target, { max: 3, name: "jobs" });
  const queueSql = connect(target, { max: 4, name: "queue", statementTimeoutMs: INGEST_TIMEOUT_MS });
  const rowSql = connect(target, { max: 2, name: "rows", statementTimeoutMs: READ_TIMEOUT_MS });
  const dictionary = createDictionary(ingestSql);
  const partitions = createPartitionKeeper(jobSql);
  const sourceStates = createSourceStates(jobSql);
  const sourceWays = createSourceWays(jobSql);
  const classifiers = createClassifiers(ingestSql, now);
  const queue = createIngestQueue({ store: createStore(ingestSql) });
  const ensureDays = (days: ReadonlySet<number>) => partitions.ensureDays(days);
  return {
    readSql,
    jobSql,
    queueSql,
    db: createDb(rowSql),
    dictionary,
    classifiers,
    secrets: createSecrets(jobSql, options.keyring),
    outgoing: createOutgoing({ allow: options.outgoingAllow }),
    flushSources: () => flushSources(sourceStates, sourceWays),
    ingest: createIngest({
      dictionary,
      queue,
      ensureDays,
      sourceStates,
      noteDrops: createNoteDrops(ingestSql),
      sourceWays,
      namerOf: async (projectId) => (await classifiers.of(projectId)).nameFailure,
      rawRetentionDays,
      now,
      ...(onStored === undefined ? {} : { onStored }),
    }),
    async store(projectId, attempts) {
      const rows = (await dictionary.toRows(projectId, attempts)).filter((row) => row !== null);
      await ensureDays(new Set(attempts.map(({ occurredAtMs }) => toDayNumber(occurredAtMs))));
      const fates = await queue.add(rows);
      const fresh = rows.filter((_, i) => fates[i] === "new").map(({ attempt }) => attempt);
      sourceStates.note(
        projectId,
        fresh,
        fresh.map(() => "new"),
        [],
        now(),
      );
      sourceWays.note(
        projectId,
        fresh,
        fresh.map(() => EVENTS),
        now(),
      );
      onStored?.();
    },
    async close() {
      await queue.idle();
      await flushSources(sourceStates, sourceWays).catch(() => {});
      await Promise.all([ingestSql, readSql, jobSql, queueSql, rowSql].map((sql) => sql.end({ timeout: 5 })));
    },
  };
}

async function flushSources(states: SourceStates, ways: SourceWays): Promise<void> {
  await states.flush();
  await ways.flush();
}
