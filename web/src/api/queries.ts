import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { KeyRecord, ProjectRecord } from "../../../server/contract/access.ts";
import type { Models, Sources } from "../../../server/contract/listing.ts";
import type {
  Calendar,
  CountKind,
  Heatmap,
  Overview,
  PointSeries,
  Step,
} from "../../../server/contract/share.ts";
import { type RangeChoice, resolveRange } from "../app/range.ts";
import type { Target } from "../app/scope.ts";
import { callApi, type Query, toPath } from "./client.ts";

/** Which figures: of which project, of which target or all of them. */
export interface Where {
  readonly project: string | null;
  readonly target?: Target | null;
}

const LIVE_MS = 30_000;
const SLOW_MS = 5 * 60_000;

const toWhere = ({ project, target = null }: Where): Query => ({
  project,
  provider: target?.provider,
  model: target?.model,
  endpoint: target?.endpoint,
});

/** Asked anew at each fetch, so that "the last hour" ends now. */
function toTimes(range: RangeChoice | null, agoMs = 0): Query {
  if (range === null) return {};
  const { fromMs, toMs } = resolveRange(range, Date.now());
  const isOpen = range.kind === "last" && agoMs === 0;
  return { from: fromMs - agoMs, to: isOpen ? null : toMs - agoMs };
}

function get<T>(key: string, query: () => Query, parts: readonly unknown[], refetchMs: number) {
  return queryOptions({
    queryKey: [key, ...parts],
    queryFn: ({ signal }) => callApi<T>(toPath(`/api/${key}`, query()), { signal }),
    refetchInterval: refetchMs,
    staleTime: refetchMs / 2,
  });
}

export const projectsQuery = () => get<{ projects: ProjectRecord[] }>("projects", () => ({}), [], SLOW_MS);

export const modelsQuery = (where: Where, range: RangeChoice | null = null) =>
  queryOptions({
    ...get<Models>("models", () => ({ ...toWhere(where), ...toTimes(range) }), [where, range], LIVE_MS),
    placeholderData: keepPreviousData,
  });

export const overviewQuery = (where: Where, range: RangeChoice | null = null) =>
  get<Overview>("overview", () => ({ ...toWhere(where), ...toTimes(range) }), [where, range], LIVE_MS);

export interface ShareQuestion extends Where {
  readonly zone: string;
  readonly count: CountKind;
  readonly range: RangeChoice | null;
}

export const heatmapQuery = ({ zone, count, range, ...where }: ShareQuestion) =>
  get<Heatmap>(
    "heatmap",
    () => ({ ...toWhere(where), ...toTimes(range), zone, count }),
    [where, zone, count, range],
    SLOW_MS,
  );

export const calendarQuery = ({ zone, count, range, ...where }: ShareQuestion) =>
  get<Calendar>(
    "calendar",
    () => ({ ...toWhere(where), ...toTimes(range), zone, count }),
    [where, zone, count, range],
    SLOW_MS,
  );

export interface SeriesQuestion extends Where {
  readonly zone: string;
  readonly range: RangeChoice | null;
  readonly step?: Step | undefined;
  /** So long before the range: for comparisons. */
  readonly agoMs?: number;
}

export const seriesQuery = ({ zone, range, step, agoMs = 0, ...where }: SeriesQuestion) =>
  get<PointSeries>(
    "series",
    () => ({ ...toWhere(where), ...toTimes(range, agoMs), zone, step }),
    [where, zone, range, step, agoMs],
    LIVE_MS,
  );

/** Polled while somebody watches for a first event. */
export const sourcesQuery = (where: Where, range: RangeChoice | null, refetchMs = LIVE_MS) =>
  get<Sources>("sources", () => ({ ...toWhere(where), ...toTimes(range) }), [where, range], refetchMs);

export const keysQuery = (project: string | null) =>
  get<{ keys: KeyRecord[] }>("keys", () => ({ project }), [project], LIVE_MS);
