import type { Sql } from "../../db/connect.ts";
import { isSameTarget, type TargetName } from "../advice/target-history.ts";
import { listSeenTargets } from "../capacity/listing.ts";
import type { SeriesFilter } from "../capacity/queries.ts";
import type { EpisodesAnswer, EpisodeTarget } from "../contract/episode.ts";
import { DAY_MS, HOUR_MS } from "../rollup/levels.ts";
import { offsetMsAt } from "../time/zone.ts";
import { type EpisodeRow, listEpisodes, listTryCounts, type TryCount } from "./queries.ts";
import { isProviderWide, medianTries, summariseRecovery } from "./summarise.ts";

export interface EpisodesQuestion {
  readonly projectId: number;
  readonly filter: Pick<SeriesFilter, "provider" | "model" | "endpoint">;
  readonly zone: string;
  readonly range: { readonly fromMs: number; readonly toMs: number };
}

const MOST_EPISODES = 1_000;
/** Raw attempts are read for tries: more days would take too long. */
const TRIES_MS = 7 * DAY_MS;

/** The episodes that touch the range, and what is usual of each target that had one or is called. */
export async function getEpisodes(sql: Sql, question: EpisodesQuestion): Promise<EpisodesAnswer> {
  const { projectId, filter, zone, range } = question;
  const whole = { provider: filter.provider };
  const [all, seen, tries] = await Promise.all([
    // Whether it was the whole provider is seen by its other models.
    listEpisodes(sql, projectId, whole, range, MOST_EPISODES * 5),
    listSeenTargets(sql, { projectId, filter: whole }),
    listTryCounts(sql, projectId, filter, {
      fromMs: Math.max(range.fromMs, range.toMs - TRIES_MS),
      toMs: range.toMs,
    }),
  ]);
  const models = new Map<string, Set<string>>();
  for (const { provider, model } of seen)
    models.set(provider, (models.get(provider) ?? new Set()).add(model));
  const modelCounts = new Map([...models].map(([provider, names]) => [provider, names.size]));
  const asked = (target: TargetName) =>
    (filter.model === undefined || filter.model === target.model) &&
    (filter.endpoint === undefined || filter.endpoint === target.endpoint);
  const own = all.filter(asked);
  return {
    zone,
    range: { from: new Date(range.fromMs).toISOString(), to: new Date(range.toMs).toISOString() },
    episodes: own.slice(0, MOST_EPISODES).map((row) => ({
      ...describe(row),
      isProviderWide: isProviderWide(row, all, modelCounts),
    })),
    targets: seen.filter(asked).map((target) => summarise(target, own, tries, zone)),
  };
}

function describe(row: EpisodeRow) {
  const { id, provider, model, endpoint, attempts, errors, requests, isSettled } = row;
  return {
    id,
    provider,
    model,
    endpoint,
    openedAt: new Date(row.fromMs).toISOString(),
    closedAt: row.isOpen ? null : new Date(row.toMs).toISOString(),
    lastSeenAt: new Date(row.toMs).toISOString(),
    attempts,
    errors,
    requests,
    peak: row.peakShare,
    isSettled,
  };
}

function summarise(
  target: TargetName,
  episodes: readonly EpisodeRow[],
  tries: readonly TryCount[],
  zone: string,
): EpisodeTarget {
  const { provider, model, endpoint } = target;
  const isOwn = isSameTarget(target);
  const own = episodes.filter(isOwn);
  const startHours = new Array<number>(24).fill(0);
  for (const { fromMs } of own) {
    const hour = Math.floor((((fromMs + offsetMsAt(zone, fromMs)) % DAY_MS) + DAY_MS) / HOUR_MS) % 24;
    startHours[hour] = (startHours[hour] ?? 0) + 1;
  }
  const counts = tries.filter(isOwn);
  return {
    provider,
    model,
    endpoint,
    episodes: own.length,
    recovery: summariseRecovery(own.filter(({ isOpen }) => !isOpen)),
    startHours,
    tries: {
      p50: medianTries(counts),
      counts: counts.map((count) => ({
        tries: count.tries,
        requests: count.requests,
        answered: count.answered,
      })),
    },
  };
}
