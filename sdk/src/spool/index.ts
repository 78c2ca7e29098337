import fs from "node:fs";
import type { OpenStore } from "../report/store.ts";
import { formatLines } from "./segment.ts";
import { createSegments } from "./segments.ts";
import { createSpoolStore } from "./spool-store.ts";

export type { OpenStore } from "../report/store.ts";
export type { PlanStore } from "../router/sync/plan-store.ts";
export { createPlanFile, type PlanFileOptions } from "./plan-file.ts";

export interface SpoolOptions {
  /** Where events wait. Made when it is missing. Several processes may share it. */
  readonly folder: string;
  /** What the files of one process may take; beyond that the oldest are dropped. Default: 67,108,864 (64 MiB). */
  readonly maxBytes?: number | undefined;
}

/**
 * Keeps events on disk until they have arrived: give it to `createReporter` as `spool`. What a process leaves behind
 * when it ends or is killed, the next one with the same folder sends. Node only.
 */
export function createSpool({ folder, maxBytes = 67_108_864 }: SpoolOptions): OpenStore {
  return (limits, listener, system) => {
    const segments = createSegments(folder, system.reporterId, () => system.now());
    const store = createSpoolStore({ segments, maxBytes, limits, listener, system });
    const close = store.close;
    /** After `process.exit()` nothing asynchronous is done any more. */
    const writeRest = () => {
      try {
        const rest = store.takeUnwritten();
        if (rest.length > 0) fs.writeFileSync(segments.nextFile(), formatLines(rest), { mode: 0o600 });
        fs.rmSync(segments.ownerFile, { force: true });
      } catch {
        // The process is ending, and nobody can be told.
      }
    };
    process.on("exit", writeRest);
    store.close = async () => {
      await close();
      process.removeListener("exit", writeRest);
    };
    return store;
  };
}
