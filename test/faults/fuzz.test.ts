import { expect, test } from "vitest";
import { ROUTES } from "../../server/contract/routes.ts";
import { MEMORY_LIMIT_MIB, runFuzz } from "./support/fuzz/run-fuzz.ts";

/** Enough for each route to be asked some dozens of times. */
const REQUESTS = 30 * ROUTES.length;

test("no request over any route breaks the server, nor shows another project's data", async () => {
  const report = await runFuzz({ requests: REQUESTS, seed: 20_261_130 });
  expect(report.faults).toEqual([]);
  expect(report.requests).toBe(REQUESTS);
  expect(report.sockets).toBeGreaterThan(50);
  expect(Math.max(...report.memoryMib)).toBeLessThan(MEMORY_LIMIT_MIB);
  // Every route was asked, and requests that go through are among them: else nothing was tried.
  for (const { method, path } of ROUTES) {
    const name = `${method.toUpperCase()} ${path.replace(/:(\w+)/g, "{$1}")}`;
    expect(report.routes.get(name)?.sent, name).toBeGreaterThan(10);
  }
  const good = [...report.routes.values()].filter((route) => route.good > 0);
  expect(good.length).toBeGreaterThan(ROUTES.length * 0.5);
}, 240_000);
