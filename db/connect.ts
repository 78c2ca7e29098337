import postgres from "postgres";
import type { ConnectionTarget } from "./open-database.ts";

/** A postgres.js client or a transaction of one: what a query function takes. */
export type Sql = postgres.Sql;
export type ISql = postgres.ISql<NonNullable<unknown>>;

export interface PoolOptions {
  /** Most connections at once. */
  max: number;
  /** Shown in `pg_stat_activity`. */
  name: string;
  /** The server ends a statement that takes longer. Absent: no limit. */
  statementTimeoutMs?: number;
  /**
   * Plans each statement for the values it has. A plan for any values, which PostgreSQL turns to at the sixth call,
   * knows neither the length of a range nor how many series match, and takes twice as long. Starting parallel workers
   * costs more than these short reads gain by them.
   */
  plansByValue?: boolean;
}

/** As texts: the driver leaves out `false` and 0. */
const READ_PLANNING = {
  plan_cache_mode: "force_custom_plan",
  jit: "off",
  max_parallel_workers_per_gather: "0",
};

/**
 * A pool on the opened database. Close it with `sql.end()`.
 *
 * Times are read and written in UTC; bigint comes back as a string unless the query casts it.
 */
export function connect(
  target: ConnectionTarget,
  { max, name, statementTimeoutMs, plansByValue = false }: PoolOptions,
): Sql {
  return postgres({
    ...target,
    max,
    idle_timeout: 60,
    connect_timeout: 10,
    backoff: (retries: number) => Math.min(2, 0.1 * 2 ** Math.min(retries, 5)),
    onnotice: () => {},
    connection: {
      application_name: `busyhour ${name}`,
      TimeZone: "UTC",
      ...(plansByValue ? READ_PLANNING : {}),
      ...(statementTimeoutMs === undefined ? {} : { statement_timeout: statementTimeoutMs }),
    },
  });
}
