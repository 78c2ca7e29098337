import { describe, expect, it } from "vitest";
import { runUpkeep } from "../../server/retention/upkeep.ts";
import { anEvent } from "../support/events.ts";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer();
const ID = "01997f0e-0000-7000-8000-00000000000a";

const send = (document: unknown) =>
  api.fetch("/v1/attempts", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(document),
  });

const report = async (id: string, dropped: Record<string, number>, attempts: unknown[] = []) =>
  (await send({ attempts, reporter: { id, dropped } })).status;

async function listDropped() {
  const { sources } = await api.get("/api/sources");
  return Object.fromEntries(
    sources.map((row: { source: string; dropped: number; lastDroppedAt: string | null }) => [
      row.source,
      [row.dropped, row.lastDroppedAt],
    ]),
  );
}

describe("what reporters lost", () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const start = api.clock.nowMs;

  it("is shown per source once it is said, with and without events", async () => {
    expect(await report(ID, { shop: 3, "": 2 }, [anEvent({ source: "shop" })])).toBe(202);
    expect(await listDropped()).toEqual({ shop: [3, at(start)], "": [2, at(start)] });
  });

  it("does not double when a batch is repeated, and late news does not undo newer", async () => {
    api.clock.nowMs = start + 60_000;
    await Promise.all(Array.from({ length: 8 }, () => report(ID, { shop: 10, "": 2 })));
    await report(ID, { shop: 3, "": 2 });
    expect(await listDropped()).toEqual({ shop: [10, at(start + 60_000)], "": [2, at(start)] });
  });

  it("adds up over reporters", async () => {
    await report("another process", { shop: 5 });
    expect((await listDropped())["shop"]).toEqual([15, at(start + 60_000)]);
  });

  it("is kept out of other projects, and apart from names that hold a key", async () => {
    await report(ID, { "https://user:secret@shop.example/x?key=1": 1 });
    expect((await listDropped())["shop.example/x"]).toEqual([1, at(start + 60_000)]);
    const rows = await api.database.sql`select 1 from reporter_drop where source like '%secret%'`;
    expect(rows).toHaveLength(0);
  });

  it("goes with the raw attempts of its time", async () => {
    api.clock.nowMs = start + 402 * 86_400_000;
    await report("a late one", { late: 1 });
    await runUpkeep(api.server.core.jobSql, api.clock.nowMs, 400);
    const rows = await api.database.sql`select source from reporter_drop`;
    expect([...rows]).toEqual([{ source: "late" }]);
    expect(await listDropped()).toMatchObject({ late: [1, at(api.clock.nowMs)] });
  });

  it("is refused with the place of the fault", async () => {
    const faults: [unknown, string][] = [
      [7, "/reporter"],
      [{ dropped: {} }, "/reporter/id"],
      [{ id: ID }, "/reporter/dropped"],
      [{ id: ID, dropped: { shop: -1 } }, "/reporter/dropped/shop"],
      [{ id: ID, dropped: { shop: 1.5 } }, "/reporter/dropped/shop"],
    ];
    for (const [reporter, pointer] of faults) {
      const answer = await send({ attempts: [], reporter });
      expect(answer.status).toBe(422);
      expect((await answer.json()).errors[0].pointer).toBe(pointer);
    }
    expect((await send({ attempts: [], reporter: null })).status).toBe(202);
  });
});
