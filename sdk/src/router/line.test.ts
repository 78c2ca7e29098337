import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Line } from "./line.ts";
import { createVirtualTime } from "./virtual-time.ts";

const arrival = fc.record({
  atMs: fc.integer({ min: 0, max: 1_000 }),
  /** Few, so that there are equals. */
  deadlineAt: fc.integer({ min: 1, max: 5 }).map((n) => n * 1_000),
  patienceMs: fc.integer({ min: 0, max: 2_000 }),
  kind: fc.constantFrom("a", "b"),
  leavesAfterMs: fc.option(fc.integer({ min: 0, max: 500 }), { nil: null }),
});
const delivery = fc.record({ atMs: fc.integer({ min: 0, max: 2_000 }), kind: fc.constantFrom("a", "b") });

describe("the line", () => {
  it("lets nobody with more time go before somebody with less who wants the same, and nobody wait too long", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arrival, { maxLength: 40 }),
        fc.array(delivery, { maxLength: 40 }),
        async (arrivals, deliveries) => {
          const time = createVirtualTime();
          const room = { a: 0, b: 0 };
          const line = new Line<string>(time, (nowMs) => (room.a + room.b > 0 ? nowMs : Infinity));
          const standing = new Set<number>();
          const jumped: string[] = [];
          let ended = 0;

          function take(i: number, kind: "a" | "b"): string | null {
            if (room[kind] === 0) return null;
            room[kind]--;
            standing.delete(i);
            for (const other of standing) {
              const [own, their] = [arrivals[i], arrivals[other]];
              if (own === undefined || their === undefined || their.kind !== kind) continue;
              if (their.deadlineAt < own.deadlineAt) jumped.push(`${i} before ${other}`);
              const cameFirst = their.atMs < own.atMs || (their.atMs === own.atMs && other < i);
              if (their.deadlineAt === own.deadlineAt && cameFirst) jumped.push(`${i} before equal ${other}`);
            }
            return kind;
          }

          async function stand(i: number): Promise<void> {
            const one = arrivals[i];
            if (one === undefined) return;
            const { deadlineAt, patienceMs, leavesAfterMs } = one;
            const kind = one.kind as "a" | "b";
            const controller = new AbortController();
            const untilMs = time.elapsed() + patienceMs;
            if (leavesAfterMs !== null) time.setTimer(() => controller.abort(), leavesAfterMs);
            standing.add(i);
            const waiter = { deadlineAt, untilMs, take: () => take(i, kind), nextAt: () => Infinity };
            const taken = await line.stand(waiter, controller.signal);
            standing.delete(i);
            ended++;
            expect(time.elapsed()).toBeLessThanOrEqual(untilMs);
            expect(taken === null || taken === kind).toBe(true);
          }

          for (const [i, { atMs }] of arrivals.entries()) time.at(atMs, () => void stand(i));
          for (const { atMs, kind } of deliveries) {
            time.at(atMs, () => {
              room[kind as "a" | "b"]++;
              line.move();
            });
          }
          await time.run();
          expect(jumped).toEqual([]);
          expect(ended).toBe(arrivals.length);
          expect(line.length).toBe(0);
          expect(time.pending).toBe(0);
        },
      ),
    );
  });
});
