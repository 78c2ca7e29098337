import { describe, expect, it } from "vitest";
import { DatabaseAway } from "./failure.ts";
import { createIngestQueue } from "./queue.ts";
import type { AttemptRow } from "./row.ts";

const row = (seriesId: number) =>
  ({ projectId: 1, seriesId, servedModelId: null, attempt: {} }) as AttemptRow;
const rows = (...ids: number[]) => ids.map(row);
const idsOf = (batch: readonly AttemptRow[]) => batch.map(({ seriesId }) => seriesId);
const withCode = (code: string) => Object.assign(new Error(code), { code });

describe("the ingest queue", () => {
  it("puts requests that wait at the same moment into one transaction", async () => {
    const batches: number[][] = [];
    const queue = createIngestQueue({
      maxConcurrent: 1,
      rowsPerTransaction: 4,
      store: async (batch) => {
        batches.push(idsOf(batch));
        return batch.map(() => true);
      },
    });
    await Promise.all([
      queue.add(rows(1)),
      queue.add(rows(2)),
      queue.add(rows(3, 4)),
      queue.add(rows(5, 6, 7, 8, 9)),
    ]);
    expect(batches).toEqual([[1], [2, 3, 4], [5, 6, 7, 8, 9]]);
  });

  it("tells each request the fate of its own rows", async () => {
    const queue = createIngestQueue({
      maxConcurrent: 1,
      store: async (batch) => idsOf(batch).map((id) => id !== 3),
    });
    expect(await Promise.all([queue.add(rows(1)), queue.add(rows(2, 3)), queue.add(rows(4))])).toEqual([
      ["new"],
      ["new", "duplicate"],
      ["new"],
    ]);
  });

  it("does not let one row that the database refuses take its neighbours along", async () => {
    const stored: number[] = [];
    const queue = createIngestQueue({
      maxConcurrent: 1,
      store: async (batch) => {
        if (idsOf(batch).includes(5)) throw withCode("22P02");
        stored.push(...idsOf(batch));
        return batch.map(() => true);
      },
    });
    const [, first, second] = await Promise.all([
      queue.add(rows(0)),
      queue.add(rows(1, 2, 3)),
      queue.add(rows(4, 5, 6, 7)),
    ]);
    expect(first).toEqual(["new", "new", "new"]);
    expect(second).toEqual(["new", "refused", "new", "new"]);
    expect(stored.sort()).toEqual([0, 1, 2, 3, 4, 6, 7]);
  });

  it("turns every request away while the database is away, and works again afterwards", async () => {
    let isAway = true;
    const queue = createIngestQueue({
      store: async (batch) => {
        if (isAway) throw withCode("ECONNREFUSED");
        return batch.map(() => true);
      },
    });
    await expect(queue.add(rows(1, 2))).rejects.toBeInstanceOf(DatabaseAway);
    isAway = false;
    expect(await queue.add(rows(1))).toEqual(["new"]);
  });

  it("passes a bug on instead of hiding it", async () => {
    const queue = createIngestQueue({ store: () => Promise.reject(new TypeError("a bug")) });
    await expect(queue.add(rows(1))).rejects.toThrow("a bug");
  });

  it("keeps what waits bounded, but takes one request however large", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const queue = createIngestQueue({
      maxConcurrent: 1,
      maxWaitingRows: 3,
      store: async (batch) => {
        await gate;
        return batch.map(() => true);
      },
    });
    const first = queue.add(rows(1));
    const second = queue.add(rows(2, 3, 4, 5, 6));
    await expect(queue.add(rows(7))).rejects.toBeInstanceOf(DatabaseAway);
    release();
    expect((await Promise.all([first, second])).flat()).toHaveLength(6);
    await queue.idle();
  });
});
