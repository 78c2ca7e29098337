import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { ConnectionTarget } from "./connection-target.ts";

const CONNECT_TIMEOUT_S = 10;
/** postgres.js tries for ever where something takes the connection and hangs up. */
const ANSWER_WITHIN_MS = 15_000;

/**
 * Connects once and returns the server's version: 180004 for 18.4.
 *
 * @throws what postgres.js throws; `CONNECTION_DESTROYED` when nothing came back in 15 s
 */
export async function readServerVersion(target: ConnectionTarget): Promise<number> {
  return await withConnection(target, async (sql) => {
    const [row] = await sql<{ version: number }[]>`
      select current_setting('server_version_num')::int as version`;
    return row?.version ?? 0;
  });
}

/** Runs `work` on one short-lived connection, which is closed in any case. */
export async function withConnection<T>(
  target: ConnectionTarget,
  work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const options = { max: 1, prepare: false, fetch_types: false, connect_timeout: CONNECT_TIMEOUT_S };
  const sql = postgres({ ...target, ...options, onnotice: () => {} });
  const done = new AbortController();
  const late = sleep(ANSWER_WITHIN_MS, undefined, { signal: done.signal }).then(
    () => sql.end({ timeout: 0 }),
    () => {},
  );
  try {
    return await work(sql);
  } finally {
    done.abort();
    await late;
    await sql.end({ timeout: 1 });
  }
}
