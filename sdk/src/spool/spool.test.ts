import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReporterOptions } from "../report/options.ts";
import { createReporter } from "../report/reporter.ts";
import { createVirtualSystem } from "../report/virtual-system.ts";
import { createSpool } from "./index.ts";

let folder = "";
beforeEach(() => {
  folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-spool-")), "events");
});
afterEach(() => {
  fs.rmSync(path.dirname(folder), { recursive: true, force: true });
});

interface SentBody {
  attempts: { eventId: string; model: string }[];
  reporter?: { id: string; dropped: Record<string, number> };
}

/** A server that stores each event once, as the real one does; while it is away it answers nobody. */
function createServer() {
  const stored = new Map<string, number>();
  const notes = new Map<string, SentBody["reporter"]>();
  const server = {
    isAway: false,
    /** How often each event came, by id. */
    stored,
    notes,
    fetch: (async (_: unknown, init: RequestInit) => {
      if (server.isAway) throw new TypeError("fetch failed");
      const { attempts, reporter } = JSON.parse(String(init.body)) as SentBody;
      for (const { eventId } of attempts) stored.set(eventId, (stored.get(eventId) ?? 0) + 1);
      if (reporter !== undefined) notes.set(reporter.id, reporter);
      return Response.json({ accepted: attempts.length, duplicates: 0, rejected: [] }, { status: 202 });
    }) as typeof globalThis.fetch,
  };
  return server;
}

/** A process of its own as far as a spool can tell: another reporter with another clock. */
function startApp(
  server: ReturnType<typeof createServer>,
  options: Partial<ReporterOptions> & { maxBytes?: number; startMs?: number } = {},
) {
  const { maxBytes, startMs = 1_796_000_000_000, ...rest } = options;
  const seeds = String(apps++);
  /** How far its clock has moved without its timers being called. */
  const app = { sleptMs: 0 };
  const system = createVirtualSystem(server.fetch, startMs);
  const problems: string[] = [];
  const reporter = createReporter(
    {
      url: "http://h",
      key: "k",
      maxBatchEvents: 10,
      spool: createSpool({ folder, maxBytes }),
      onProblem: ({ code, message }) => problems.push(`${code}: ${message}`),
      ...rest,
    },
    {
      ...system,
      now: () => system.now() + app.sleptMs,
      fillRandom: (bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
    },
  );
  const report = (count: number, source = "app") => {
    for (let i = 0; i < count; i++) {
      const eventId = `${seeds}-${source}-${made++}`;
      reporter.report({ eventId, occurredAt: startMs, provider: "acme", model: "large", source });
    }
  };
  return Object.assign(app, { reporter, report, system, problems });
}
let apps = 0;
let made = 0;

const listSegments = () =>
  fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith(".ndjson")) : [];

/** What is in a file; nothing when it was deleted a moment ago. */
function readIfThere(name: string): string {
  try {
    return fs.readFileSync(path.join(folder, name), "utf8");
  } catch {
    return "";
  }
}
const readSegments = () => listSegments().map(readIfThere).join("");
const countLines = () => readSegments().match(/^\{.*\}$/gm)?.length ?? 0;

/** Waits for the file system, which no virtual clock moves. */
async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error("it never came to that");
    await new Promise(setImmediate);
  }
}

const timesEach = (server: ReturnType<typeof createServer>) => [...new Set(server.stored.values())];

/** Segments of a process that is gone. */
function leaveBehind(lines: string, id = "01997f0e-0000-7000-8000-00000000000a") {
  fs.mkdirSync(folder, { recursive: true });
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  fs.writeFileSync(path.join(folder, `${id}.owner`), JSON.stringify({ pid, host: os.hostname() }));
  fs.writeFileSync(path.join(folder, `${id}-00000003.ndjson`), lines);
}

describe("a spool", () => {
  it("has each event on disk soon after it was reported, and deletes it once it has arrived", async () => {
    const server = createServer();
    server.isAway = true;
    const { reporter, report, system } = startApp(server);
    report(25);
    await until(() => countLines() === 25);
    expect(listSegments()).toHaveLength(3);
    await reporter.flush();
    expect(reporter.stats()).toMatchObject({ reported: 25, waiting: 25, dropped: 0 });
    server.isAway = false;
    await system.advance(1_000);
    await until(() => reporter.stats().waiting === 0);
    await until(() => listSegments().length === 0);
    expect([server.stored.size, timesEach(server)]).toEqual([25, [1]]);
    await reporter.close();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it("keeps at the end what could not be sent, for the next process", async () => {
    const server = createServer();
    server.isAway = true;
    const first = startApp(server);
    first.report(7);
    await first.reporter.close();
    expect(first.reporter.stats()).toMatchObject({ reported: 7, waiting: 7, dropped: 0 });
    server.isAway = false;
    const second = startApp(server);
    second.report(1);
    await until(() => second.reporter.stats().adopted === 7);
    await second.reporter.close();
    expect(second.reporter.stats()).toMatchObject({ reported: 1, adopted: 7, stored: 8, waiting: 0 });
    expect([server.stored.size, timesEach(server), fs.readdirSync(folder)]).toEqual([8, [1], []]);
  });

  it("sends what a killed process left: whole lines, not the one that breaks off; its count of drops too", async () => {
    const event = (eventId: string) => JSON.stringify({ eventId, occurredAt: 1, provider: "p", model: "m" });
    const id = "01997f0e-0000-7000-8000-00000000000b";
    leaveBehind(
      `${event("a")}\n#{"id":"${id}","dropped":{"app":3}}\n${event("b")}\nrubbish\n${event("c").slice(0, 20)}`,
      id,
    );
    const server = createServer();
    const { reporter, problems } = startApp(server);
    await until(() => reporter.stats().adopted === 2);
    await reporter.flush();
    expect([...server.stored.keys()]).toEqual(["a", "b"]);
    expect(server.notes.get(id)?.dropped).toEqual({ app: 3 });
    expect(problems).toEqual([expect.stringContaining("1 lines of")]);
    expect(listSegments()).toEqual([]);
    await reporter.close();
  });

  it("leaves no file of a process that was killed before it had written a line, though nothing is sent any more", async () => {
    for (const lines of ["", '{"eventId":"broken o']) {
      leaveBehind(lines);
      const { reporter } = startApp(createServer());
      await until(() => listSegments().length === 0);
      expect(reporter.stats()).toMatchObject({ adopted: 0, waiting: 0, dropped: 0 });
      await reporter.close();
      expect(fs.readdirSync(folder)).toEqual([]);
    }
  });

  it("is shared by processes that are alive without one taking from the other", async () => {
    const server = createServer();
    server.isAway = true;
    const [one, two] = [startApp(server), startApp(server)];
    const beats = () => fs.readdirSync(folder).filter((name) => name.endsWith(".owner"));
    for (let round = 0; round < 20; round++) {
      one.report(3, "one");
      two.report(2, "two");
      await one.system.advance(1_000);
      await two.system.advance(1_000);
    }
    await until(() => countLines() === 100 && beats().length === 2);
    for (const { system } of [one, two]) {
      // Each says that it lives, and looks whether the others do.
      await system.advance(31_000);
      const isFresh = (name: string) => fs.statSync(path.join(folder, name)).mtimeMs > system.now() - 25_000;
      await until(() => beats().some(isFresh));
    }
    await until(() => countLines() === 100);
    server.isAway = false;
    await Promise.all([one.reporter.close(), two.reporter.close()]);
    expect([server.stored.size, timesEach(server)]).toEqual([100, [1]]);
    expect([one.reporter.stats().stored, two.reporter.stats().stored]).toEqual([60, 40]);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it("loses nothing when a process was silent for so long that another took its files, and then goes on", async () => {
    const server = createServer();
    server.isAway = true;
    const frozen = startApp(server);
    frozen.report(14);
    await until(() => countLines() === 14);
    const other = startApp(server, { startMs: 1_796_000_000_000 + 200_000 });
    await until(() => other.reporter.stats().adopted === 14);
    // It wakes up: its clock has moved, its timers have not been called yet.
    frozen.sleptMs = 200_000;
    frozen.report(9, "later");
    await until(() => countLines() === 23);
    server.isAway = false;
    await Promise.all([frozen.reporter.close(), other.reporter.close()]);
    // What the frozen one had under way comes twice, and the server knows it by its ids.
    expect(server.stored.size).toBe(23);
    for (const { reporter } of [frozen, other]) {
      const { reported, adopted, stored, dropped, waiting } = reporter.stats();
      expect([reported + adopted, dropped, waiting]).toEqual([stored, 0, 0]);
    }
  });

  it("stays within its size: the oldest but the one under way go, counted, also when the process is killed then", async () => {
    const server = createServer();
    server.isAway = true;
    const { reporter, report, system, problems } = startApp(server, { maxBytes: 4_000 });
    report(20, "old");
    await until(() => countLines() === 20 && problems.length === 1);
    for (let i = 0; i < 6; i++) {
      report(10, "new");
      await until(() => reporter.stats().waiting === countLines());
    }
    report(1, "last");
    await until(() => readSegments().includes("last"));
    const { dropped, waiting } = reporter.stats();
    expect([dropped + waiting, dropped % 10, dropped > 20]).toEqual([81, 0, true]);
    const bytes = listSegments().reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
    expect(bytes).toBeLessThan(4_500);
    // Killed: nothing more is done. The next process hears of it from the files alone.
    server.isAway = false;
    const next = startApp(server, { startMs: system.now() + 200_000 });
    await until(() => next.reporter.stats().adopted === waiting);
    await next.reporter.flush();
    expect(reporter.stats().waiting).toBe(waiting);
    expect([server.stored.size, timesEach(server)]).toEqual([waiting, [1]]);
    expect([...server.notes.values()].map((note) => note?.dropped)).toEqual([{ old: 10, new: dropped - 10 }]);
    await next.reporter.close();
  });

  it("that cannot be written leaves events in memory, says so, and is used again when it can", async () => {
    const server = createServer();
    server.isAway = true;
    fs.mkdirSync(path.dirname(folder), { recursive: true });
    fs.writeFileSync(folder, "in the way");
    const { reporter, report, system, problems } = startApp(server, { maxWaitingEvents: 40 });
    report(45);
    await until(() => problems.length === 2);
    expect(problems).toEqual([
      expect.stringMatching(/^dropped: more than 40 events/),
      expect.stringMatching(/^spool: .*events wait in memory$/),
    ]);
    await reporter.flush();
    expect(reporter.stats()).toMatchObject({ reported: 45, dropped: 5, waiting: 40 });
    server.isAway = false;
    await system.advance(1_000);
    await until(() => reporter.stats().waiting === 0);
    server.isAway = true;
    fs.rmSync(folder);
    await system.advance(40_000);
    await until(() => fs.existsSync(folder) && fs.readdirSync(folder).length === 1);
    report(3);
    await until(() => countLines() === 3);
    await reporter.close();
    expect(reporter.stats()).toMatchObject({ reported: 48, stored: 40, dropped: 5, waiting: 3 });
  });
});
