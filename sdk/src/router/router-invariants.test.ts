import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRouter } from "./router.ts";
import type { RouterError } from "./router-error.ts";
import { type Deed, FULL, limitedFor, toClientError } from "./scripted-providers.ts";
import type { Call } from "./types.ts";
import { afterPromises, createRandom, createVirtualTime } from "./virtual-time.ts";

const EPOCH_MS = 1_796_000_000_000;
const seeds = fc.integer({ min: 1, max: 1_000_000 });
const shares = fc.double({ min: 0, max: 1, noNaN: true });

interface Asked {
  readonly at: number;
  readonly target: number;
  readonly isFine: boolean;
}

/** A chain of targets t0, t1, … of one tier, each of a provider of its own, whose calls meet what is drawn for them. */
function chainOf(count: number, seed: number, draw: (target: number, random: () => number) => Deed) {
  const time = createVirtualTime(seed, EPOCH_MS, afterPromises);
  const random = createRandom(seed + 1);
  const asked: Asked[] = [];
  const names = Array.from({ length: count }, (_, i) => `t${i}`);
  async function answer(_: string, { target }: Call): Promise<string> {
    const at = time.elapsed();
    const place = names.indexOf(target.id);
    const deed = draw(place, random);
    asked.push({ at, target: place, isFine: typeof deed === "string" });
    await time.sleep(100 + random() * 900);
    if (typeof deed === "string") return deed;
    throw toClientError(deed as { status: number });
  }
  const router = createRouter<string, string>({
    providers: Object.fromEntries(names.map((name) => [name, answer])),
    chain: { targets: names.map((name) => ({ id: name, provider: name, model: "m", tier: "same" })) },
    system: time,
  });
  return { router, time, asked, random };
}

describe("whatever targets do", () => {
  it("no answer comes from a lesser target while a better one has not been tried for a minute", async () => {
    await fc.assert(
      fc.asyncProperty(
        seeds,
        fc.array(shares, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 100, max: 2_000 }),
        async (seed, failing, everyMs) => {
          const draw = (target: number, random: () => number) =>
            random() < (failing[target] ?? 0) ? FULL : "fine";
          const { router, time, asked } = chainOf(failing.length + 1, seed, draw);
          for (let at = 0; at < 600_000; at += everyMs)
            time.at(at, () => void router.run("hi").catch(() => {}));
          await time.run();
          const lastAt = failing.map(() => 0);
          const starving: Asked[] = [];
          for (const one of asked) {
            const isStarved = lastAt.some((last, better) => better < one.target && one.at - last > 60_000);
            if (one.isFine && isStarved) starving.push(one);
            lastAt[one.target] = one.at;
          }
          expect(starving).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("a request gets an attempt when every circuit is open", async () => {
    await fc.assert(
      fc.asyncProperty(
        seeds,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 120_000 }),
        async (seed, count, pauseMs) => {
          const { router, time, asked } = chainOf(count, seed, () => FULL);
          const ask = async () => {
            const run = router
              .run("hi", { deadlineMs: 5_000 })
              .catch((error: unknown) => error as RouterError);
            await time.run();
            return (await run) as RouterError;
          };
          for (let i = 0; i < 30 * count; i++) await ask();
          time.at(time.elapsed() + pauseMs, () => {});
          await time.run();
          const before = asked.length;
          expect((await ask()).attempts.length).toBeGreaterThanOrEqual(1);
          expect(asked.length).toBeGreaterThan(before);
        },
      ),
      { numRuns: 15 },
    );
  });

  it("rate limits change neither scores nor circuits, however many and however long", async () => {
    await fc.assert(
      fc.asyncProperty(seeds, shares, fc.integer({ min: 1, max: 3 }), async (seed, share, count) => {
        const draw = (_: number, random: () => number) =>
          random() < share ? limitedFor(1 + Math.floor(random() * 30)) : "fine";
        const { router, time } = chainOf(count, seed, draw);
        let isTouched = false;
        for (let i = 0; i < 200; i++) {
          time.at(i * 700, () => {
            void router.run("hi").catch(() => {});
            isTouched ||= router.health().some(({ score, circuit }) => score < 0.95 || circuit !== "closed");
          });
        }
        await time.run();
        expect(isTouched).toBe(false);
      }),
      { numRuns: 25 },
    );
  });
});
