import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionTarget, formatServerVersion } from "../connection-target.ts";
import { DatabaseError } from "../database-error.ts";
import { readServerVersion } from "../server-version.ts";
import { explainConnectFailure } from "./connect-failure.ts";

export interface ReachRequest {
  target: ConnectionTarget;
  /** The URL without its password. */
  label: string;
  say: (line: string) => void;
  signal?: AbortSignal | undefined;
  /** How long a server may take to start, in milliseconds. */
  startWithinMs?: number;
}

const START_WITHIN_MS = 60_000;
const TRY_EVERY_MS = 500;
const OLDEST_VERSION = 150_000;

/**
 * Connects once, and returns the server's version, such as 180004. Waits while the server is starting.
 *
 * @throws DatabaseError with one of the `url_…` codes
 */
export async function reachServer(request: ReachRequest): Promise<number> {
  const { target, label, say, signal, startWithinMs = START_WITHIN_MS } = request;
  const deadline = Date.now() + startWithinMs;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const result = await tryOnce(target, label);
    if (typeof result === "number") return checkServerVersion(result, label);
    if (result !== "starting") throw result;
    if (Date.now() > deadline) throw stillStarting(label, startWithinMs);
    if (attempt === 0)
      say(`${label} is still starting: waiting up to ${Math.round(startWithinMs / 1000)} s.`);
    await sleep(Math.min(TRY_EVERY_MS, startWithinMs), undefined, { signal });
  }
}

async function tryOnce(
  target: ConnectionTarget,
  label: string,
): Promise<number | DatabaseError | "starting"> {
  try {
    return await readServerVersion(target);
  } catch (error) {
    return explainConnectFailure(error, label, target.ssl !== undefined && target.ssl !== "prefer");
  }
}

/** @throws DatabaseError `url_too_old` below PostgreSQL 15 */
export function checkServerVersion(serverVersion: number, label: string): number {
  if (serverVersion >= OLDEST_VERSION) return serverVersion;
  throw new DatabaseError("url_too_old", {
    what: `${label} is PostgreSQL ${formatServerVersion(serverVersion)}, and Busyhour needs 15 or newer.`,
    mend: "Upgrade that server, or set DATABASE_URL to a newer one.",
  });
}

function stillStarting(label: string, afterMs: number): DatabaseError {
  return new DatabaseError("url_starting", {
    what: `${label} was still starting after ${Math.round(afterMs / 1000)} s.`,
    mend: "Look at the server's log, and start Busyhour again once it takes connections.",
  });
}
