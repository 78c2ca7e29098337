import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import v8 from "node:v8";
import vm from "node:vm";
import { afterAll, describe, expect, it } from "vitest";
import type { ReporterOptions } from "../../sdk/src/report/options.ts";
import { packBody } from "../../sdk/src/report/pack-body.ts";
import { createReporter } from "../../sdk/src/report/reporter.ts";
import { createVirtualSystem } from "../../sdk/src/report/virtual-system.ts";
import { createSpool } from "../../sdk/src/spool/index.ts";
import { anEvent } from "../support/events.ts";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer();
const { key } = await api.createKey("ingest");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-spool-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc") as () => void;

const STEP_MS = 20; // 50 calls a second
const BEFORE = 500;
const AWAY = 30_000; // ten minutes
const AFTER = 1_000;

/** Fifty calls a second over ten minutes without a server, in the time that the machine needs for it. */
async function playOutage(source: string, options: Partial<ReporterOptions>) {
  let isAway = false;
  /** Requests that reach the server and whose answer gets lost on its way. */
  let lostAnswers = 0;
  let underWay = 0;
  const system = createVirtualSystem(
    (async (url, init) => {
      try {
        if (isAway && lostAnswers === 0) throw new TypeError("fetch failed");
        const response = await fetch(url, init);
        const body = await response.text();
        if (lostAnswers > 0) {
          lostAnswers--;
          throw new TypeError("fetch failed");
        }
        return new Response(body, response);
      } finally {
        underWay--;
      }
    }) as typeof globalThis.fetch,
    api.clock.nowMs,
  );
  const reporter = createReporter(
    { url: api.url, key, source, onProblem: () => {}, ...options },
    {
      ...system,
      pack(text) {
        underWay++;
        return packBody(text);
      },
    },
  );
  const heap: number[] = [];

  async function play(calls: number): Promise<void> {
    for (let call = 0; call < calls; call++) {
      reporter.report(
        anEvent({
          source,
          occurredAt: system.now(),
          outcome: call % 40 === 0 ? "capacity" : "ok",
          latencyMs: 812,
        }),
      );
      await system.advance(STEP_MS);
      // An answer takes real time, which is none of the virtual clock's.
      while (underWay > 0) await new Promise(setImmediate);
      api.clock.nowMs = system.now();
      if (isAway && call % 10_000 === 9_999) {
        collectGarbage();
        heap.push(process.memoryUsage().heapUsed);
      }
    }
  }

  await play(BEFORE);
  isAway = true;
  lostAnswers = 1;
  await play(AWAY);
  const atItsWorst = reporter.stats();
  isAway = false;
  lostAnswers = 1;
  await play(AFTER);
  while (reporter.stats().waiting > 0) {
    await system.advance(1_000);
    while (underWay > 0) await new Promise(setImmediate);
  }
  await reporter.close();
  return { stats: reporter.stats(), atItsWorst, heapGrowth: (heap[2] ?? 0) - (heap[0] ?? 0) };
}

async function countStored(source: string): Promise<{ rows: number; ids: number }> {
  const [counted] = await api.database.sql<{ rows: number; ids: number }[]>`
    select count(*)::int as rows, count(distinct a.event_id)::int as ids
      from attempt a join series s on s.project_id = a.project_id and s.id = a.series_id
     where s.source = ${source}`;
  return counted ?? { rows: 0, ids: 0 };
}

async function findSource(name: string) {
  await api.server.core.flushSources();
  const { sources } = await api.get("/api/sources");
  return sources.find(({ source }: { source: string }) => source === name);
}

describe("a server that is away for ten minutes at 50 calls a second", () => {
  const reported = BEFORE + AWAY + AFTER;

  it("with a spool costs nothing: each event is stored once, and memory stays flat", async () => {
    const { stats, atItsWorst, heapGrowth } = await playOutage("with spool", {
      spool: createSpool({ folder }),
    });
    expect(atItsWorst.waiting).toBeGreaterThan(29_000);
    expect(stats).toEqual({ reported, adopted: 0, stored: reported, rejected: 0, dropped: 0, waiting: 0 });
    expect(await countStored("with spool")).toEqual({ rows: reported, ids: reported });
    const source = await findSource("with spool");
    expect(source).toMatchObject({ accepted: reported, dropped: 0, lastDroppedAt: null });
    // The two batches whose answer was lost.
    expect(source.duplicates).toBeGreaterThan(0);
    expect(heapGrowth).toBeLessThan(2_000_000);
    expect(fs.readdirSync(folder)).toEqual([]);
  }, 180_000);

  it("without one costs the oldest events, whose number Sources shows exactly", async () => {
    const { stats, atItsWorst, heapGrowth } = await playOutage("without", {});
    expect(atItsWorst.waiting).toBeLessThanOrEqual(10_500);
    const { rows, ids } = await countStored("without");
    expect(ids).toBe(rows);
    expect(stats).toEqual({
      reported,
      adopted: 0,
      stored: rows,
      rejected: 0,
      dropped: reported - rows,
      waiting: 0,
    });
    expect(stats.dropped).toBeGreaterThan(19_000);
    expect(await findSource("without")).toMatchObject({ accepted: rows, dropped: stats.dropped });
    expect(heapGrowth).toBeLessThan(2_000_000);
  }, 180_000);
});
