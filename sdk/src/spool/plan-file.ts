import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { PlanStore } from "../router/sync/plan-store.ts";

export interface PlanFileOptions {
  /** Where the last good plan is kept. Its folder is made when it is missing. Processes of one chain may share it. */
  readonly file: string;
}

/**
 * Keeps the published plan on disk: give it to `createRouter` as `plan.store`, and a process that starts while the server is
 * away goes by it. A reader finds a whole plan or none, whenever the process or the machine ends. Node only.
 */
export function createPlanFile({ file }: PlanFileOptions): PlanStore {
  return {
    read() {
      try {
        return fs.readFileSync(file, "utf8");
      } catch (error) {
        if ((error as { code?: unknown }).code === "ENOENT") return null;
        throw error;
      }
    },
    async write(text) {
      await fs.promises.mkdir(path.dirname(file), { recursive: true });
      const temporary = `${file}.${randomUUID()}.tmp`;
      try {
        await writeDurably(temporary, text);
        await fs.promises.rename(temporary, file);
      } catch (error) {
        await fs.promises.rm(temporary, { force: true }).catch(() => {});
        throw error;
      }
    },
  };
}

/** On disk before it gets its name: else a machine that loses power could leave an empty file under it. */
async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await fs.promises.open(file, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
