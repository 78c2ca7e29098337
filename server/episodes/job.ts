import type { ISql, Sql } from "../../db/connect.ts";
import { type TargetName, targetKey } from "../advice/target-history.ts";
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS, minutesKeptFrom } from "../rollup/levels.ts";
import { describeEpisode, isWorthTelling } from "./describe-episode.ts";
import {
  deleteEpisode,
  type EpisodeRow,
  type FoundEpisode,
  findSettledTo,
  getPassStart,
  insertEpisode,
  listBusyProjects,
  listEpisodesSince,
  listNormalShares,
  listTargetMinutes,
  noteSettled,
  type TargetMinutes,
  updateEpisode,
} from "./queries.ts";
import { reconcile } from "./reconcile.ts";
import {
  DEFAULT_STATES,
  findStretches,
  followStretches,
  type States,
  type Stretch,
  statesFor,
} from "./two-states.ts";

/** How far back the live job looks: late events change what it said of this time. */
const LIVE_MS = 6 * HOUR_MS;
const NORMAL_LOOKBACK_MS = 14 * DAY_MS;
/** What is normal changes slowly. */
const NORMAL_KEPT_MS = HOUR_MS;
/** Before its last look, for what arrived late. */
const NIGHTLY_MARGIN_MS = 12 * HOUR_MS;
/** One server at a time writes the episodes of a project. */
const EPISODE_LOCK = 20260707;

export interface EpisodeJobs {
  /** Every minute: opens, goes on with and closes episodes. @returns how many are open */
  readonly runLive: (nowMs: number) => Promise<number>;
  /** Once a UTC day, whenever it is asked after midnight: rewrites closed ones in hindsight. @returns projects looked at */
  readonly runNightly: (nowMs: number) => Promise<number>;
}

/** Both passes make what they say anew from rollups, so that running them twice changes nothing. */
export function createEpisodeJobs(sql: Sql): EpisodeJobs {
  const normal = new Map<number, { madeMs: number; states: Map<string, States> }>();

  async function statesOf(projectId: number, nowMs: number): Promise<(target: TargetName) => States> {
    let known = normal.get(projectId);
    if (known === undefined || Math.abs(nowMs - known.madeMs) >= NORMAL_KEPT_MS) {
      const shares = await listNormalShares(sql, projectId, new Date(nowMs - NORMAL_LOOKBACK_MS));
      known = {
        madeMs: nowMs,
        states: new Map(shares.map((row) => [targetKey(row), statesFor(row.share)])),
      };
      normal.set(projectId, known);
    }
    const { states } = known;
    return (target) => states.get(targetKey(target)) ?? DEFAULT_STATES;
  }

  return {
    async runLive(nowMs) {
      let open = 0;
      for (const projectId of await listBusyProjects(sql, new Date(nowMs - LIVE_MS))) {
        const stateOf = await statesOf(projectId, nowMs);
        open += await sql.begin(async (tx) => {
          await lock(tx, projectId);
          const from = await getPassStart(tx, projectId, new Date(nowMs - LIVE_MS));
          const targets = await listTargetMinutes(tx, projectId, from.getTime(), floorTo(nowMs, MINUTE_MS));
          const found = targets.flatMap((target) =>
            tellEpisodes(target, followStretches(target.minutes, stateOf(target), nowMs), false),
          );
          const stored = await listEpisodesSince(tx, projectId, from);
          await store(tx, projectId, stored, found, ({ isSettled }) => !isSettled);
          return found.filter(({ isOpen }) => isOpen).length;
        });
      }
      return open;
    },

    async runNightly(nowMs) {
      const toMs = floorTo(nowMs, DAY_MS);
      const projects = await listBusyProjects(sql, new Date(minutesKeptFrom(nowMs)));
      let looked = 0;
      for (const projectId of projects) {
        const settledTo = await findSettledTo(sql, projectId);
        if (settledTo !== null && settledTo.getTime() >= toMs) continue;
        const stateOf = await statesOf(projectId, nowMs);
        looked++;
        await sql.begin(async (tx) => {
          await lock(tx, projectId);
          const keptMs = minutesKeptFrom(nowMs);
          const marginMs = (settledTo?.getTime() ?? 0) - NIGHTLY_MARGIN_MS;
          const from = await getPassStart(tx, projectId, new Date(Math.max(keptMs, marginMs)));
          const fromMs = Math.max(keptMs, from.getTime());
          // Minutes up to now: what came after midnight says whether it was over by then.
          const targets = await listTargetMinutes(tx, projectId, fromMs, floorTo(nowMs, MINUTE_MS));
          const found = targets
            .flatMap((target) => tellEpisodes(target, findStretches(target.minutes, stateOf(target)), true))
            .filter((one) => !one.isOpen && one.toMs <= toMs);
          const stored = await listEpisodesSince(tx, projectId, new Date(fromMs));
          await store(
            tx,
            projectId,
            stored,
            found,
            (one) => !one.isOpen && one.toMs <= toMs && one.fromMs >= fromMs,
          );
          await noteSettled(tx, projectId, new Date(toMs));
        });
      }
      return looked;
    },
  };
}

async function lock(tx: ISql, projectId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${EPISODE_LOCK}, ${projectId})`;
}

function tellEpisodes(
  target: TargetMinutes,
  stretches: readonly Stretch[],
  isSettled: boolean,
): FoundEpisode[] {
  const { provider, model, endpoint, minutes } = target;
  return stretches.flatMap((stretch) => {
    const figures = describeEpisode(minutes, stretch);
    if (!isWorthTelling(figures)) return [];
    const requests = minutes
      .filter(({ startMs }) => startMs >= stretch.fromMs && startMs < stretch.toMs)
      .reduce((sum, minute) => sum + minute.requests, 0);
    return [{ provider, model, endpoint, ...stretch, ...figures, requests, isSettled }];
  });
}

/** Makes the episodes that may be rewritten those that were found; what overlaps another one is not told twice. */
async function store(
  tx: ISql,
  projectId: number,
  stored: readonly EpisodeRow[],
  found: readonly FoundEpisode[],
  mayRewrite: (row: EpisodeRow) => boolean,
): Promise<void> {
  const keys = new Set([...stored, ...found].map(targetKey));
  for (const key of keys) {
    const own = stored.filter((row) => targetKey(row) === key);
    const fixed = own.filter((row) => !mayRewrite(row));
    const fresh = found.filter(
      (one) =>
        targetKey(one) === key && !fixed.some(({ fromMs, toMs }) => fromMs < one.toMs && toMs > one.fromMs),
    );
    const { changed, added, removed } = reconcile(own.filter(mayRewrite), fresh);
    for (const { id } of removed) await deleteEpisode(tx, projectId, id);
    for (const { old, found: one } of changed) {
      if (isSame(old, one)) continue;
      await updateEpisode(tx, projectId, old.id, one);
    }
    for (const one of added) await insertEpisode(tx, projectId, one);
  }
}

function isSame(old: EpisodeRow, found: FoundEpisode): boolean {
  return (
    old.fromMs === found.fromMs &&
    old.toMs === found.toMs &&
    old.isOpen === found.isOpen &&
    old.isSettled === found.isSettled &&
    old.attempts === found.attempts &&
    old.errors === found.errors &&
    old.requests === found.requests
  );
}
