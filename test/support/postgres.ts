import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { connect } from "../../db/connect.ts";
import { startEmbeddedPostgres } from "../../db/embedded/launch.ts";
import { migrate } from "../../db/migrate.ts";
import type { ConnectionTarget } from "../../db/open-database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: ConnectionTarget;
    postgresBinDir: string;
  }
}

let cleanUp = async () => {};

export const TEMPLATE = "busyhour_template";

/**
 * One PostgreSQL for the whole run, with a migrated template that each test file copies. What a crash of the
 * machine would lose is not worth a sync here; durability has tests of its own.
 *
 * BUSYHOUR_TEST_POSTGRES_BIN names another PostgreSQL's folder of programs.
 */
export async function setup(project: TestProject): Promise<void> {
  makeReady();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-test-"));
  fs.chmodSync(folder, 0o755);
  const binDir = process.env["BUSYHOUR_TEST_POSTGRES_BIN"];
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    say: () => {},
    conf: { fsync: "off", synchronous_commit: "off", max_connections: 200 },
    ...(binDir === undefined ? {} : { binDir }),
  });
  const maintenance = connect(postgres.target, { max: 1, name: "test setup" });
  await maintenance`create database ${maintenance(TEMPLATE)}`;
  await maintenance.end();
  await migrate({ ...postgres.target, database: TEMPLATE });
  project.provide("postgres", postgres.target);
  project.provide("postgresBinDir", postgres.binDir);
  cleanUp = async () => {
    await postgres.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  };
}

/** Commands and pages are tested as they are shipped: any command builds what is behind its sources. */
function makeReady(): void {
  const command = path.join(import.meta.dirname, "..", "..", "bin", "busyhour.mjs");
  execFileSync(process.execPath, [command, "--version"], { stdio: ["ignore", "ignore", "inherit"] });
}

export async function teardown(): Promise<void> {
  await cleanUp();
}
