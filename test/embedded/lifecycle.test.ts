import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../db/open-database.ts";
import {
  aDataFolder,
  aUsedDataFolder,
  listProcessesOf,
  query,
  readNotes,
  removeTemplateAfterAll,
  start,
  TEST_TIMEOUT_MS,
  waitFor,
  writeNote,
} from "./support.ts";

removeTemplateAfterAll();

test(
  "keeps the data from one start to the next, in a path with spaces and quotes",
  async () => {
    const dataDir = aDataFolder('it\'s a "folder" of mine');
    const first = await start(dataDir);
    await writeNote(first, "hello");
    await first.stop();
    const second = await start(dataDir);
    expect(await readNotes(second)).toEqual(["hello"]);
  },
  TEST_TIMEOUT_MS,
);

test(
  "a clean stop leaves no process, no claim and no socket folder",
  async () => {
    const dataDir = await aUsedDataFolder();
    const server = await start(dataDir);
    expect(statSync(server.target.host).mode & 0o777).toBe(0o700);
    await server.stop();
    await server.stop();
    expect(existsSync(server.target.host)).toBe(false);
    expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.log"]);
    expect(readdirSync(path.join(dataDir, "postgres"))).not.toContain("postmaster.pid");
    await waitFor("no process is left", () => listProcessesOf(dataDir).length === 0);
  },
  TEST_TIMEOUT_MS,
);

test(
  "runs durable, in UTC, on a socket alone, and takes extra settings",
  async () => {
    const server = await start(await aUsedDataFolder(), { conf: { max_connections: 11, work_mem: "8MB" } });
    const names = [
      "fsync",
      "synchronous_commit",
      "listen_addresses",
      "max_connections",
      "work_mem",
      "TimeZone",
    ];
    const settings = await query(
      server.target,
      (sql) => sql`
    select name, setting from pg_settings where name = any(${names}::text[])`,
    );
    expect(Object.fromEntries(settings.map((row) => [row["name"], row["setting"]]))).toEqual({
      fsync: "on",
      synchronous_commit: "on",
      listen_addresses: "",
      max_connections: "11",
      work_mem: "8192",
      TimeZone: "UTC",
    });
  },
  TEST_TIMEOUT_MS,
);

test(
  "opens a database named busyhour, and says what it is",
  async () => {
    const dataDir = aDataFolder();
    const lines: string[] = [];
    const opened = await openDatabase({ dataDir, say: (line) => lines.push(line) });
    onTestFinished(() => opened.close());
    expect(opened).toMatchObject({ kind: "embedded", target: { user: "postgres", database: "busyhour" } });
    expect(opened.serverVersion).toBeGreaterThanOrEqual(150_000);
    expect(opened.label).toMatch(/^PostgreSQL \d+\.\d+ of its own in /);
    expect(lines).toEqual([expect.stringContaining("Making a new database")]);
    await opened.close();
    const again = await openDatabase({ dataDir, say: (line) => lines.push(line) });
    await again.close();
    expect(lines).toHaveLength(1);
  },
  TEST_TIMEOUT_MS,
);

test(
  "leaves nothing running when the start is given up",
  async () => {
    const dataDir = await aUsedDataFolder();
    await (await start(dataDir)).stop();
    const giveUp = new AbortController();
    const starting = start(dataDir, { signal: giveUp.signal });
    await waitFor("the server is on its way", () => listProcessesOf(dataDir).length > 0);
    giveUp.abort();
    await starting.then(
      (server) => server.stop(), // it was quicker
      (error) => expect(error).toMatchObject({ name: "AbortError" }),
    );
    await waitFor("no process is left", () => listProcessesOf(dataDir).length === 0);
    expect(readdirSync(dataDir).filter((name) => name.includes("owner"))).toEqual([]);
  },
  TEST_TIMEOUT_MS,
);

test(
  "refuses the folder of another major version and leaves it as it is",
  async () => {
    const dataDir = await aUsedDataFolder();
    await (await start(dataDir)).stop();
    const marker = path.join(dataDir, "postgres", "PG_VERSION");
    writeFileSync(marker, "14\n");
    const files = readdirSync(path.join(dataDir, "postgres"));
    await expect(start(dataDir)).rejects.toMatchObject({
      code: "embedded_version_mismatch",
      message: expect.stringMatching(/PostgreSQL 14.*DATABASE_URL/s),
    });
    expect(readFileSync(marker, "utf8")).toBe("14\n");
    expect(readdirSync(path.join(dataDir, "postgres"))).toEqual(files);
  },
  TEST_TIMEOUT_MS,
);

test("refuses a folder that holds something else", async () => {
  const dataDir = aDataFolder();
  mkdirSync(path.join(dataDir, "postgres"), { recursive: true });
  writeFileSync(path.join(dataDir, "postgres", "letter.txt"), "dear");
  await expect(start(dataDir)).rejects.toMatchObject({ code: "embedded_not_a_cluster" });
  expect(readdirSync(dataDir)).toEqual(["postgres"]);
});

test("names DATABASE_URL when there is no PostgreSQL to run", async () => {
  await expect(start(aDataFolder(), { binDir: "/no/such/folder" })).rejects.toMatchObject({
    code: "embedded_unsupported",
    message: expect.stringContaining("Set DATABASE_URL"),
  });
});

test(
  "shows the end of the log when the server refuses to start",
  async () => {
    const dataDir = aDataFolder();
    await expect(start(dataDir, { conf: { shared_buffers: "nonsense" } })).rejects.toMatchObject({
      code: "embedded_start_failed",
      message: expect.stringContaining("shared_buffers"),
    });
    expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.log"]);
  },
  TEST_TIMEOUT_MS,
);
