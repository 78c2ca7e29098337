import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, inject, it } from "vitest";
import { connect } from "../../db/connect.ts";
import { listBlocks } from "./blocks.ts";
import { type Background, openShell } from "./shell.ts";

/**
 * The README as a person follows it: its blocks are run in their order, in this checkout, on a data folder, a port
 * and a PostgreSQL of the test's own in place of the ones that it names.
 */
const root = path.join(import.meta.dirname, "..", "..");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-readme-"));
fs.chmodSync(folder, 0o755);
const dataDir = path.join(folder, "data");
const port = await findFreePort();
const shell = openShell(folder, { BUSYHOUR_DATA_DIR: dataDir, PORT: String(port) });
const blocks = readBlocks("README.md", "bash");

const STEP_TIMEOUT_MS = 180_000;
const IS_UP = /Address +http\S+\n.*Sign in +http\S+\n/s;
let server: Background | null = null;

afterAll(async () => {
  await stopServer();
  await sql`drop database if exists ${sql(databaseName)} with (force)`;
  await sql.end();
  fs.rmSync(folder, { recursive: true, force: true });
});

const postgres = inject("postgres");
const sql = connect(postgres, { max: 1, name: "test" });
const databaseName = `readme_${process.pid}_${Date.now()}`;

function readBlocks(page: string, language: string) {
  return listBlocks(fs.readFileSync(path.join(root, page), "utf8"), language).map(({ heading, code }) => ({
    heading,
    code: code.replaceAll("8420", String(port)).replaceAll("/tmp/", `${folder}/`),
  }));
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(free));
    });
  });
}

/** Ends the server as Ctrl-C does, and gives what it said; nothing when none runs. */
async function stopServer(): Promise<string> {
  const runFile = path.join(dataDir, "server.json");
  if (!fs.existsSync(runFile)) return "";
  process.kill(JSON.parse(fs.readFileSync(runFile, "utf8")).pid, "SIGINT");
  while (fs.existsSync(runFile)) await sleep(50);
  await server?.ended;
  return server?.output() ?? "";
}

async function startServer(code: string): Promise<string> {
  server = await shell.start(code, IS_UP);
  return server.output();
}

/** Runs a block that must succeed. */
async function run(code: string) {
  const result = await shell.run(code);
  expect(result, code).toMatchObject({ code: 0 });
  return result;
}

/** What a person does with each block, and sees. As many as there are blocks, in their order. */
const STEPS: readonly (readonly [what: string, follow: (code: string) => Promise<void>])[] = [
  [
    "starts the server",
    async (code) => {
      expect(await startServer(code)).toContain(`Address   http://127.0.0.1:${port}`);
      expect(fs.existsSync(path.join(dataDir, "postgres", "PG_VERSION"))).toBe(true);
    },
  ],
  [
    "names the tests, which run this one",
    async (code) => {
      expect(code.trim()).toBe("npm test");
      const { scripts } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
      expect(scripts.test).toBeTypeOf("string");
    },
  ],
  [
    "makes a key and sends an event, which is stored once",
    async (code) => {
      const { stdout } = await run(code);
      expect(JSON.parse(stdout)).toEqual({
        accepted: 1,
        duplicates: 0,
        rejected: [],
        withoutEventId: 0,
        unknownFields: {},
      });
      expect(stdout).toContain('"accepted":1');
    },
  ],
  [
    "shows the event in a grid",
    async (code) => {
      let grid = "";
      // The rollup job is nudged by the event, and is a second or two behind it.
      for (let tries = 0; tries < 30 && !grid.includes("In all 1 of 1"); tries++) {
        if (tries > 0) await sleep(500);
        grid = (await run(code)).stdout;
      }
      expect(grid).toMatch(/^Capacity errors, percent of attempts, model gpt-5\n/);
      expect(grid.match(/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?: {2}·| {2}\?){24}$/gm)).toHaveLength(7);
      expect(grid).toContain("In all 1 of 1 attempts.");
    },
  ],
  [
    "reads 168 cells back as JSON, and the event in one of them",
    async (code) => {
      await run(code);
      const { cells }: { cells: { n: number }[] } = JSON.parse(
        fs.readFileSync(path.join(folder, "heatmap.json"), "utf8"),
      );
      expect(cells).toHaveLength(168);
      expect(cells.filter(({ n }) => n > 0)).toEqual([expect.objectContaining({ n: 1, k: 1, rate: 1 })]);
    },
  ],
  [
    "prints a link that signs in to the page; the snippets of the page on events work",
    async (code) => {
      const link = (await run(code)).stdout.trim();
      expect(link).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/sign-in\\?token=`));
      const signedIn = await fetch(link, { redirect: "manual" });
      expect([signedIn.status, signedIn.headers.get("location")]).toEqual([302, "/"]);
      const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
      const heatmap = await fetch(new URL("/api/heatmap", link), { headers: { cookie } });
      expect((await heatmap.json()).cells).toHaveLength(168);
      expect(await (await fetch(new URL("/", link))).text()).toContain("<!doctype html>");
      // With the keys at hand: what the page on events shows.
      await followSnippet("ts", "node", "mjs");
      await followSnippet("sh", "sh", "sh");
      if (await hasPython()) await followSnippet("python", "python3", "py");
    },
  ],
  [
    "imports files, and nothing twice",
    async (code) => {
      const { stdout } = await run(code);
      expect(stdout).toMatch(/accepted +5\n +duplicates +0\n +rejected +0\n/);
      expect(stdout).not.toContain("Ignored columns");
      const again = await run(code.slice(code.indexOf("npx busyhour import")));
      expect(again.stdout).toMatch(/accepted +0\n +duplicates +5\n/);
    },
  ],
  [
    "makes sample data on the running server",
    async (code) => {
      const { stderr } = await run(code);
      expect(stderr).toMatch(/[\d,]{6,} attempts made/);
      const { stdout } = await run(`npx busyhour keys create read --project sample`);
      const headers = { authorization: `Bearer ${stdout.trim()}` };
      const heatmap = await (await fetch(`http://127.0.0.1:${port}/api/heatmap`, { headers })).json();
      expect(heatmap.zone).toBe("America/New_York");
      expect(heatmap.cells.filter(({ state }: { state: string }) => state === "enough")).toHaveLength(168);
    },
  ],
  [
    "removes them again",
    async (code) => {
      expect((await run(code)).stderr).toContain("The sample project is gone.");
      expect((await shell.run(code)).code).toBe(1);
    },
  ],
  [
    "runs on a PostgreSQL of one's own, after Ctrl-C",
    async (code) => {
      expect(await stopServer()).toContain("Stopped.");
      expect(fs.existsSync(path.join(dataDir, "server.json"))).toBe(false);
      await sql`create database ${sql(databaseName)}`;
      const url = `postgres:///${databaseName}?host=${postgres.host}&port=${postgres.port}&user=${postgres.user}`;
      const withUrl = code.replace(/postgres:\/\/\S+/, `'${url}'`);
      expect(withUrl).not.toBe(code);
      expect(await startServer(withUrl)).toContain(databaseName);
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
      expect(await stopServer()).toContain("Stopped.");
    },
  ],
];

/** Runs the snippet of docs/events.md in a language, which sends one event. */
async function followSnippet(language: string, command: string, end: string): Promise<void> {
  const snippets = readBlocks("docs/events.md", language);
  expect(snippets).toHaveLength(1);
  const file = path.join(folder, `snippet.${end}`);
  fs.writeFileSync(file, snippets[0]?.code ?? "");
  const before = await countAttempts();
  await run(`${command} '${file}'`);
  expect(await countAttempts()).toBe(before + 1);
}

async function countAttempts(): Promise<number> {
  const { stdout } = await run(
    `curl -s "http://127.0.0.1:${port}/api/attempts?limit=500" -H "Authorization: Bearer $READ_KEY"`,
  );
  return JSON.parse(stdout).attempts.length;
}

async function hasPython(): Promise<boolean> {
  return (await shell.run("python3 --version")).code === 0;
}

describe("the README", () => {
  it("has a step here for each of its blocks", () => {
    expect(blocks.map(({ heading }) => heading)).toHaveLength(STEPS.length);
  });

  for (const [place, [what, follow]] of STEPS.entries()) {
    const block = blocks[place];
    it(`${block?.heading}: ${what}`, { timeout: STEP_TIMEOUT_MS }, () => follow(block?.code ?? ""));
  }
});
