import type { Sql } from "../../db/connect.ts";
import { DAY_MS } from "../rollup/levels.ts";
import { forgetDone, forgetPayloads, forgetUnused, listKeepRules } from "./upkeep-queries.ts";

const ROWS_AT_ONCE = 5_000;
/** Of one project in one run: the next one goes on. */
const MOST_ROUNDS = 100;
const LANE_DAYS = 2;
const CHANGE_DAYS = 30;
const WORKER_DAYS = 1;

/** Forgets what is kept no more, in small portions. Harmless when run twice. @returns finished jobs that went */
export async function runQueueUpkeep(sql: Sql, nowMs: number): Promise<number> {
  let count = 0;
  for (const { projectId, keptDays, deadKeptDays } of await listKeepRules(sql)) {
    const before = new Date(nowMs - keptDays * DAY_MS);
    const deadBefore = new Date(nowMs - deadKeptDays * DAY_MS);
    count += await inRounds(() => forgetDone(sql, projectId, { before, deadBefore, limit: ROWS_AT_ONCE }));
    await inRounds(() => forgetPayloads(sql, projectId, nowMs, ROWS_AT_ONCE));
  }
  await forgetUnused(sql, {
    lanesBefore: new Date(nowMs - LANE_DAYS * DAY_MS),
    changesBefore: new Date(nowMs - CHANGE_DAYS * DAY_MS),
    workersBefore: new Date(nowMs - WORKER_DAYS * DAY_MS),
  });
  return count;
}

async function inRounds(forget: () => Promise<number>): Promise<number> {
  let count = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const gone = await forget();
    count += gone;
    if (gone < ROWS_AT_ONCE) break;
  }
  return count;
}
