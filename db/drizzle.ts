import { drizzle as createDrizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "./connect.ts";
import * as schema from "./schema/index.ts";

/**
 * drizzle for single rows. Give it a pool of its own: it replaces the pool's serializers of times, after which
 * raw statements on the same pool can no longer send a `Date`.
 */
export function createDb(sql: Sql) {
  return createDrizzle(sql, { schema });
}

export type Db = ReturnType<typeof createDb>;

/** The pool or a transaction of it. */
export type DbLike = Pick<Db, "select" | "insert" | "update" | "delete">;
