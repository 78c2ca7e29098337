import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionTarget } from "../connection-target.ts";
import { DatabaseError } from "../database-error.ts";
import { findBinaries } from "./binaries.ts";
import { checkReachable, createCluster, createDataFolder, findClusterMajor } from "./data-folder.ts";
import { findDatabaseUser } from "./database-user.ts";
import { endOrphan } from "./orphan.ts";
import { acquireOwnerLock } from "./owner-lock.ts";
import { type PostmasterRequest, type PostmasterRun, StillHeldError, startPostmaster } from "./postmaster.ts";
import { chooseSettings, type PostgresConf } from "./settings.ts";
import { createSocketFolder, removeSocketFolder } from "./socket-folder.ts";
import { supervise } from "./supervise.ts";

export interface EmbeddedPostgresOptions {
  /** Holds the cluster in `postgres`, its log `postgres.log`, and the owner's claim. Made when missing. */
  dataDir: string;
  /** Progress, in lines for people. */
  say: (line: string) => void;
  /** Extra PostgreSQL settings; they win over ours. */
  conf?: PostgresConf;
  /** Folder with `postgres` and `initdb`. Absent: the npm package's, else the machine's. */
  binDir?: string;
  /** Gives up a start that is under way, and leaves nothing behind. */
  signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  target: ConnectionTarget;
  /** Number of the server's main process; `null` while it is being started again. */
  pid(): number | null;
  logFile: string;
  binDir: string;
  /** Ends the server and gives up the data folder. Close the connections first. */
  stop(): Promise<void>;
}

/** Backends of a killed server end within a second or so, when they notice. */
const HELD_FOR_MS = 15_000;
const TRY_EVERY_MS = 200;

/**
 * Starts a PostgreSQL of our own for the data folder, and keeps it running until `stop()`.
 *
 * It ends with this process, even when that is killed, and listens on a socket in a private folder only.
 *
 * @throws DatabaseError with one of the `embedded_…` codes
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  checkPlatform();
  const dataDir = createDataFolder(options.dataDir);
  const lock = await acquireOwnerLock(dataDir, options.signal);
  try {
    return await startWithLock(dataDir, options, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startWithLock(
  dataDir: string,
  { say, conf, binDir: wantedBinDir, signal }: EmbeddedPostgresOptions,
  release: () => void,
): Promise<EmbeddedPostgres> {
  const cluster = path.join(dataDir, "postgres");
  const logFile = path.join(dataDir, "postgres.log");
  const user = findDatabaseUser(cluster);
  await checkReachable(dataDir, user);
  const clusterMajor = findClusterMajor(cluster);
  const wanted = wantedBinDir === undefined ? {} : { binDir: wantedBinDir };
  const binaries = await findBinaries({ user, clusterMajor, ...wanted });
  const settings = chooseSettings(binaries.major, conf);
  await endOrphan({ cluster, user, say, signal });
  if (clusterMajor === null) {
    say(`Making a new database in ${cluster} (this takes a few seconds, once).`);
    await createCluster(cluster, binaries, user);
  }
  const socketFolder = createSocketFolder(cluster, user);
  const request = { binDir: binaries.binDir, cluster, socketFolder, settings, logFile, user, say };
  const start = (stopSignal?: AbortSignal) => startOnceFree({ ...request, signal: stopSignal });
  try {
    const server = supervise({ first: await start(signal), restart: start, say });
    return {
      target: { host: socketFolder, port: Number(settings["port"]), user: "postgres", database: "postgres" },
      pid: server.pid,
      logFile,
      binDir: binaries.binDir,
      async stop() {
        await server.stop();
        removeSocketFolder(socketFolder);
        release();
      },
    };
  } catch (error) {
    removeSocketFolder(socketFolder);
    throw error;
  }
}

/** Starts the server as soon as nothing is left of an earlier one. */
async function startOnceFree(request: PostmasterRequest): Promise<PostmasterRun> {
  const deadline = Date.now() + HELD_FOR_MS;
  for (;;) {
    try {
      await endOrphan(request);
      return await startPostmaster(request);
    } catch (error) {
      if (!(error instanceof StillHeldError)) throw error;
      if (Date.now() > deadline) throw stillHeld(request, error);
    }
    await sleep(TRY_EVERY_MS, undefined, { signal: request.signal });
  }
}

function stillHeld({ cluster, logFile }: PostmasterRequest, cause: StillHeldError): DatabaseError {
  return new DatabaseError("embedded_in_use", {
    what: `The database in ${cluster} is still held by processes of another PostgreSQL server: ${cause.message.trim()}`,
    mend: `\nEnd those processes (see ${logFile}), choose another data folder, or set DATABASE_URL.`,
    cause,
  });
}

function checkPlatform(): void {
  if (process.platform !== "win32") return;
  throw new DatabaseError("embedded_unsupported", {
    what: "Busyhour can't run a database of its own on Windows.",
    mend: "Set DATABASE_URL to a PostgreSQL server, or run Busyhour in WSL or a container.",
  });
}
