import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../db/embedded/launch.ts";
import { openDatabase } from "../../db/open-database.ts";
import { parseDatabaseUrl } from "../../db/url/parse-database-url.ts";
import { reachServer } from "../../db/url/reach-server.ts";
import { query, TEST_TIMEOUT_MS } from "./support.ts";

const say = () => {};
let folder = "";
let port = 0;
let server: EmbeddedPostgres;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "busyhour-test-"));
  chmodSync(folder, 0o755);
  port = await findFreePort();
  server = await startEmbeddedPostgres({
    dataDir: path.join(folder, "data"),
    say,
    conf: { listen_addresses: "127.0.0.1", port },
  });
  await query(server.target, (sql) => sql`create role ann login password 'right'`);
}, TEST_TIMEOUT_MS);

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
}, TEST_TIMEOUT_MS);

test("takes a URL that leads to a server, and starts none", async () => {
  const lines: string[] = [];
  const databaseUrl = `postgres://ann:right@127.0.0.1:${port}/postgres?pgbouncer=true`;
  const opened = await openDatabase({
    databaseUrl,
    dataDir: "/no/such/folder",
    say: (line) => lines.push(line),
  });
  expect(opened).toMatchObject({ kind: "url", label: `postgres://ann@127.0.0.1:${port}/postgres` });
  expect(opened.serverVersion).toBeGreaterThanOrEqual(150_000);
  expect(lines).toEqual(["Not used of DATABASE_URL: pgbouncer."]);
  expect(await query(opened.target, (sql) => sql`select current_user as name`)).toEqual([{ name: "ann" }]);
  await opened.close();
});

test("takes the folder of a socket", async () => {
  const databaseUrl = `postgres://postgres@/postgres?host=${server.target.host}&port=${port}`;
  const opened = await openDatabase({ databaseUrl, dataDir: "/no/such/folder", say });
  expect(opened.target.host).toBe(server.target.host);
});

test.each([
  ["a wrong password", "url_password", () => `postgres://ann:hunter2@127.0.0.1:${port}/postgres`],
  ["an unknown user", "url_password", () => `postgres://bob:hunter2@127.0.0.1:${port}/postgres`],
  ["no password", "url_password", () => `postgres://ann@127.0.0.1:${port}/postgres`],
  ["an unknown database", "url_database_missing", () => `postgres://ann:right@127.0.0.1:${port}/hunter3`],
  [
    "a server without encryption",
    "url_tls",
    () => `postgres://ann:hunter2@127.0.0.1:${port}/postgres?sslmode=require`,
  ],
  ["an unknown host", "url_unreachable", () => "postgres://ann:hunter2@no-such-host.invalid/postgres"],
  [
    "a folder without a socket",
    "url_unreachable",
    () => "postgres://ann:hunter2@/postgres?host=/no/such/folder",
  ],
  ["another scheme", "url_invalid", () => "mysql://ann:hunter2@127.0.0.1/postgres"],
])(
  "explains %s, without the password",
  async (_, code, url) => {
    const failure = await openDatabase({ databaseUrl: url(), dataDir: "/no/such/folder", say }).catch(
      (error) => error,
    );
    expect(failure).toMatchObject({ name: "DatabaseError", code });
    expect(failure.message).not.toContain("hunter2");
    expect(failure.message).toContain("DATABASE_URL");
  },
  TEST_TIMEOUT_MS,
);

test.each(["127.0.0.1", "localhost", "[::1]"])("explains a refused connection to %s", async (host) => {
  const closedPort = await findFreePort();
  const databaseUrl = `postgres://ann:hunter2@${host}:${closedPort}/postgres`;
  await expect(openDatabase({ databaseUrl, dataDir: "/no/such/folder", say })).rejects.toMatchObject({
    code: "url_unreachable",
    message: expect.stringContaining("connection refused"),
  });
});

test(
  "waits while a server is starting, and says so once",
  async () => {
    const fake = await startFakeServer((count) => count <= 2);
    const lines: string[] = [];
    const { target, label } = parseDatabaseUrl(`postgres://ann:right@127.0.0.1:${fake}/postgres`);
    const version = await reachServer({ target, label, say: (line) => lines.push(line) });
    expect(version).toBeGreaterThanOrEqual(150_000);
    expect(lines).toEqual([`${label} is still starting: waiting up to 60 s.`]);
  },
  TEST_TIMEOUT_MS,
);

test("gives up on a server that does not get ready", async () => {
  const fake = await startFakeServer(() => true);
  const { target, label } = parseDatabaseUrl(`postgres://ann:right@127.0.0.1:${fake}/postgres`);
  await expect(reachServer({ target, label, say, startWithinMs: 50 })).rejects.toMatchObject({
    code: "url_starting",
  });
});

async function findFreePort(): Promise<number> {
  const listener = net.createServer();
  const free = await listen(listener);
  await new Promise((resolve) => listener.close(resolve));
  return free;
}

function listen(listener: net.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(0, "127.0.0.1", () => resolve((listener.address() as net.AddressInfo).port));
  });
}

/** Says "the database system is starting up" (57P03) to connection number 1, 2, … as asked, and passes on the others. */
async function startFakeServer(isStarting: (count: number) => boolean): Promise<number> {
  const fields = ["SFATAL", "VFATAL", "C57P03", "Mthe database system is starting up"].map(
    (field) => `${field}\0`,
  );
  const body = Buffer.from(`${fields.join("")}\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeUInt32BE(body.length + 4, 1);
  let count = 0;
  const fake = net.createServer((socket) => {
    socket.on("error", () => {});
    count++;
    if (isStarting(count)) socket.once("data", () => socket.end(Buffer.concat([head, body])));
    else socket.pipe(net.connect(port, "127.0.0.1")).pipe(socket);
  });
  onTestFinished(() => void fake.close());
  return await listen(fake);
}
