import { describe, expect, it } from "vitest";
import { createBatches } from "./batches.ts";

const away = () => Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" });

describe("work of many requests", () => {
  it("that waits at the same moment is done together, by key, up to what a transaction takes", async () => {
    const runs: [number, number[]][] = [];
    const batches = createBatches<number, number>({
      async run(key, items) {
        runs.push([key, [...items]]);
        return items.map((item) => item * 10);
      },
      weigh: (item) => item,
      most: 5,
    });
    const fates = await Promise.all([
      batches.add(1, 2),
      batches.add(1, 3),
      batches.add(2, 1),
      batches.add(1, 9),
      batches.add(1, 1),
    ]);
    expect(fates).toEqual([20, 30, 10, 90, 10]);
    expect(runs.filter(([key]) => key === 1)).toEqual([
      [1, [2, 3]],
      [1, [9]],
      [1, [1]],
    ]);
    await batches.idle();
  });

  it("does not suffer from what one of them does wrong", async () => {
    const batches = createBatches<string, string>({
      async run(_key, items) {
        if (items.includes("bad")) throw new Error("bad");
        return [...items];
      },
      most: 10,
    });
    const fates = await Promise.allSettled(["a", "bad", "b"].map((item) => batches.add(1, item)));
    expect(fates.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("is refused in words that say so when the database is away, and tried no further", async () => {
    let runs = 0;
    const batches = createBatches<number, number>({
      run() {
        runs++;
        return Promise.reject(away());
      },
      most: 10,
    });
    const fates = await Promise.allSettled([1, 2, 3].map((item) => batches.add(1, item)));
    for (const fate of fates) expect(fate).toMatchObject({ reason: { status: 503, code: "database_away" } });
    expect(runs).toBe(1);
  });
});
