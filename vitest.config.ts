import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";

/** Nothing is written into the checkout: it may belong to someone else. */
const cacheDir = path.join(tmpdir(), `busyhour-vitest-${process.getuid?.() ?? "user"}`);

export default defineConfig({
  cacheDir,
  test: {
    // Many tests wait for processes and pages: on two cores two at a time leave a third of them idle.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        cacheDir,
        test: {
          name: "unit",
          include: ["{db,sdk,server,web}/**/*.test.{ts,tsx}", "test/*.test.ts"],
          // Tests leave nothing behind, so files share their modules: loading them anew takes three times longer.
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        cacheDir,
        test: {
          name: "integration",
          include: ["test/*/**/*.test.ts"],
          isolate: false,
          globalSetup: ["test/support/postgres.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
