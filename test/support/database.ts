import { randomBytes } from "node:crypto";
import { afterAll, inject } from "vitest";
import { connect, type Sql } from "../../db/connect.ts";
import type { ConnectionTarget, OpenedDatabase } from "../../db/open-database.ts";
import { TEMPLATE } from "./postgres.ts";

/** A database of the test file's own, copied from the migrated template and dropped afterwards. */
export async function createTestDatabase(): Promise<OpenedDatabase & { sql: Sql }> {
  const server = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const maintenance = connect(server, { max: 1, name: "test" });
  await maintenance`create database ${maintenance(name)} template ${maintenance(TEMPLATE)}`;
  const target: ConnectionTarget = { ...server, database: name };
  const sql = connect(target, { max: 8, name: "test" });
  afterAll(async () => {
    await sql.end({ timeout: 1 });
    await maintenance`drop database if exists ${maintenance(name)} with (force)`;
    await maintenance.end();
  });
  return { kind: "embedded", target, label: name, serverVersion: 0, close: async () => {}, sql };
}
