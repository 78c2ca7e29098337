import type { Sql } from "../../db/connect.ts";
import { listTargetQuarters, type TargetQuarters } from "../advice/queries.ts";
import { DAY_MS, floorTo, HOUR_MS, QUARTER_MS } from "../rollup/levels.ts";
import { BUSY_HOURS_MS } from "./measure/busy-hours.ts";
import { listTargetSlots, type TargetSlots } from "./queries.ts";

/** What does not change from one minute to the next. */
export interface History {
  /** Quarter-hours up to `toMs`: attempts, and those that got no answer. */
  readonly failures: readonly TargetSlots[];
  /** Up to here nothing is missing; what came since is read anew each time. */
  readonly toMs: number;
  /** For usual hours: attempts, and those that found no room. */
  readonly capacity: readonly TargetQuarters[];
  /** What was made of it under this name, made when it is first asked for. */
  readonly keep: <T extends object>(name: string, make: () => T) => T;
}

export interface HistoryKeeper {
  /** @param models sorted; those of other models are left out */
  readonly read: (projectId: number, models: readonly string[], nowMs: number) => Promise<History>;
}

const SHOWN_DAYS = 92;
/** Whole ones, so that no block by which thin hours are judged is cut. */
const BLOCK_MS = 3 * HOUR_MS;
/** Projects whose history is kept in memory. */
const KEPT = 50;

/** Reads three months once an hour; late events are seen within it. */
export function createHistoryKeeper(sql: Sql): HistoryKeeper {
  const kept = new Map<number, { readonly key: string; readonly history: Promise<History> }>();

  async function load(projectId: number, models: readonly string[], nowMs: number): Promise<History> {
    const toMs = floorTo(nowMs, BLOCK_MS);
    if (models.length === 0) return { failures: [], toMs, capacity: [], keep: createKeep() };
    const fromMs = floorTo(nowMs, DAY_MS) - SHOWN_DAYS * DAY_MS;
    const [failures, ...capacity] = await Promise.all([
      listTargetSlots(sql, projectId, models, [{ level: "15m", fromMs, toMs }], QUARTER_MS / 1000),
      ...models.map((model) =>
        listTargetQuarters(sql, projectId, { model }, { fromMs: nowMs - BUSY_HOURS_MS, toMs: nowMs }),
      ),
    ]);
    return { failures, toMs, capacity: capacity.flat(), keep: createKeep() };
  }

  return {
    read(projectId, models, nowMs) {
      const key = `${floorTo(nowMs, HOUR_MS)} ${JSON.stringify(models)}`;
      const known = kept.get(projectId);
      if (known?.key === key) return known.history;
      const history = load(projectId, models, nowMs);
      kept.delete(projectId);
      kept.set(projectId, { key, history });
      if (kept.size > KEPT) kept.delete(kept.keys().next().value ?? projectId);
      history.catch(() => {
        if (kept.get(projectId)?.history === history) kept.delete(projectId);
      });
      return history;
    },
  };
}

function createKeep(): History["keep"] {
  const made = new Map<string, object>();
  return <T extends object>(name: string, make: () => T): T => {
    let thing = made.get(name) as T | undefined;
    if (thing === undefined) {
      thing = make();
      made.set(name, thing);
    }
    return thing;
  };
}
