import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "../database-error.ts";
import type { DatabaseUser } from "./database-user.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { asUser, commandEnv } from "./run-command.ts";
import { listFatalStates, openServerLog, type ServerLog } from "./server-log.ts";
import { formatSettings, type PostgresConf } from "./settings.ts";

/** One life of the server. */
export interface PostmasterRun {
  pid: number;
  /** Fulfilled when it has ended, for whatever reason. */
  exited: Promise<void>;
  /** Ends it and loses nothing. */
  stop(): Promise<void>;
}

export interface PostmasterRequest {
  binDir: string;
  cluster: string;
  socketFolder: string;
  settings: PostgresConf;
  logFile: string;
  user: DatabaseUser;
  say: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/** Old backends still hold its shared memory, for a moment after their postmaster was killed. Try again. */
export class StillHeldError extends Error {}

/** After a crash it first replays its log. */
const READY_WITHIN_MS = 10 * 60_000;
const SAY_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 15;
const STOP_WITHIN_MS = 60_000;
const STOP_AT_ONCE_WITHIN_MS = 10_000;

/** "lock_file_exists": another server, or what is left of one, holds the folder. */
const LOCK_FILE_EXISTS = "F0001";

/**
 * Runs `"$@"` until our end of its stdin closes, which the system does even when we are killed. Then it sends
 * SIGINT (a fast shutdown) again and again: a shell starts background jobs with SIGINT ignored, so one that
 * comes before PostgreSQL has set up its own handling is lost.
 */
const GUARD = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(
  while read -r _; do :; done
  while kill -INT $server 2>/dev/null; do sleep 0.1 || sleep 1; done
) <&3 3<&- &
watcher=$!
exec 3<&-
wait $server
status=$?
kill $watcher 2>/dev/null
exit $status
`;

/**
 * Starts the server and waits until it takes connections.
 *
 * It is in a session of its own, so Ctrl-C in a terminal reaches the app alone, which can then still write
 * what it holds. The child is unreferenced: it does not keep the app running.
 *
 * @throws StillHeldError
 * @throws DatabaseError `embedded_start_failed` with the end of its log
 */
export async function startPostmaster(request: PostmasterRequest): Promise<PostmasterRun> {
  const log = openServerLog(request.logFile, request.user);
  const guard = spawnGuard(request, log);
  let end: string | null = null;
  const exited = new Promise<void>((resolve) => {
    const finish = (reason: string) => {
      end ??= reason;
      guard.stdin?.destroy();
      resolve();
    };
    guard.once("exit", (code, signal) => finish(signal ?? `exit code ${code}`));
    guard.once("error", (error) => finish(error.message));
  });
  const stop = () => stopGuard(guard, exited, request.cluster);
  try {
    const pid = await waitUntilReady(request, () => {
      if (end !== null) throw startFailed(request, end, log);
    });
    return { pid, exited, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function spawnGuard(request: PostmasterRequest, log: ServerLog): ChildProcess {
  const { binDir, cluster, socketFolder, settings, user } = request;
  const server = [
    path.join(binDir, "postgres"),
    "-D",
    cluster,
    "-k",
    socketFolder,
    ...formatSettings(settings),
  ];
  const guard = spawn("/bin/sh", ["-c", GUARD, "busyhour-guard", ...server], {
    ...asUser(user),
    cwd: "/",
    env: commandEnv(),
    detached: true,
    stdio: ["pipe", log.fd, log.fd],
  });
  log.close();
  guard.stdin?.on("error", () => {}); // it may end before we close the pipe
  guard.unref();
  if (guard.stdin && "unref" in guard.stdin && typeof guard.stdin.unref === "function") guard.stdin.unref();
  return guard;
}

async function waitUntilReady(request: PostmasterRequest, checkAlive: () => void): Promise<number> {
  const startedAt = Date.now();
  let saidAt = startedAt;
  for (;;) {
    const file = readPostmasterFile(request.cluster);
    if (file?.status === "ready") return file.pid;
    request.signal?.throwIfAborted();
    checkAlive();
    const now = Date.now();
    if (now - saidAt > SAY_EVERY_MS) {
      saidAt = now;
      request.say(
        `The database is still starting (${Math.round((now - startedAt) / 1000)} s); its log is ${request.logFile}`,
      );
    }
    if (now - startedAt > READY_WITHIN_MS) {
      throw new DatabaseError("embedded_start_failed", {
        what: `The database in ${request.cluster} was not ready after ${READY_WITHIN_MS / 60_000} minutes.`,
        mend: `See ${request.logFile} for what it is doing, or set DATABASE_URL.`,
      });
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function startFailed({ cluster, logFile }: PostmasterRequest, end: string, log: ServerLog): Error {
  const tail = log.tail(1500);
  if (listFatalStates(tail).includes(LOCK_FILE_EXISTS)) return new StillHeldError(tail);
  return new DatabaseError("embedded_start_failed", {
    what: `The database in ${cluster} did not start (${end}): ${tail.trim() || "it wrote nothing to its log"}`,
    mend: `\nMend what it names (the whole log is ${logFile}), or set DATABASE_URL.`,
  });
}

/** Fast shutdown; one that hangs is ended at once (SIGQUIT), which the next start mends from the log. */
async function stopGuard(guard: ChildProcess, exited: Promise<void>, cluster: string): Promise<void> {
  guard.ref();
  guard.stdin?.end();
  if (await isDoneWithin(exited, STOP_WITHIN_MS)) return;
  signalPostmaster(cluster, "SIGQUIT");
  if (await isDoneWithin(exited, STOP_AT_ONCE_WITHIN_MS)) return;
  signalPostmaster(cluster, "SIGKILL");
  await isDoneWithin(exited, STOP_AT_ONCE_WITHIN_MS);
}

async function isDoneWithin(done: Promise<void>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
    return await Promise.race([done.then(() => true), late]);
  } finally {
    timer.abort();
  }
}

function signalPostmaster(cluster: string, signal: NodeJS.Signals): void {
  const file = readPostmasterFile(cluster);
  try {
    if (file !== null) process.kill(file.pid, signal);
  } catch {
    // It is gone after all.
  }
}
