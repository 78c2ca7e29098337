import type { Sql } from "../../db/connect.ts";
import * as contract from "../contract/routes.ts";
import { invalidQuery } from "../http/parse.ts";
import { lastMs, readRange, readZone, type TimeRange } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { DAY_MS } from "../rollup/levels.ts";
import { getCalendar } from "./calendar.ts";
import { getHeatmap, HEATMAP_LOOKBACK_MS } from "./heatmap.ts";
import { getModels, getSources } from "./listing.ts";
import { getNow } from "./now.ts";
import { getOverview } from "./overview.ts";
import { getPoints } from "./points.ts";

/** More dates than this are more cells than a screen or a script can use. */
const MAX_CALENDAR_MS = 400 * DAY_MS;

export function capacityRoutes({ sql }: { sql: Sql }): BoundRoute[] {
  return [
    bindRoute(contract.getOverview, async ({ project, query, nowMs }) => {
      const range = readRange(query, nowMs, DAY_MS) ?? lastMs(nowMs, DAY_MS);
      return getOverview(sql, { projectId: project.id, filter: query, range }, nowMs);
    }),
    bindRoute(contract.getNow, async ({ project, query, nowMs }) => {
      const zone = readZone(query.zone, project);
      return getNow(sql, { projectId: project.id, filter: query, count: query.count, zone }, nowMs);
    }),
    bindRoute(contract.getHeatmap, async ({ project, query, nowMs }) => {
      const { count, outcome } = query;
      const range = readRange(query, nowMs, HEATMAP_LOOKBACK_MS);
      const zone = readZone(query.zone, project);
      return getHeatmap(sql, { projectId: project.id, filter: query, count, outcome, zone, range }, nowMs);
    }),
    bindRoute(contract.getCalendar, async ({ project, query, nowMs }) => {
      const { count, outcome } = query;
      const range = readRange(query, nowMs, HEATMAP_LOOKBACK_MS) ?? lastMs(nowMs, HEATMAP_LOOKBACK_MS);
      assertCalendarRange(range);
      const zone = readZone(query.zone, project);
      return getCalendar(sql, { projectId: project.id, filter: query, count, outcome, zone, range }, nowMs);
    }),
    bindRoute(contract.getSeries, async ({ project, query, nowMs }) => {
      const range = readRange(query, nowMs, DAY_MS) ?? lastMs(nowMs, DAY_MS);
      const zone = readZone(query.zone, project);
      return getPoints(sql, { projectId: project.id, filter: query, zone, range, step: query.step }, nowMs);
    }),
    bindRoute(contract.getModels, async ({ project, query, nowMs }) => {
      const range = readRange(query, nowMs, HEATMAP_LOOKBACK_MS) ?? lastMs(nowMs, HEATMAP_LOOKBACK_MS);
      return getModels(sql, { projectId: project.id, filter: query, range }, nowMs);
    }),
    bindRoute(contract.getSources, async ({ project, query, nowMs }) => {
      const range = readRange(query, nowMs, DAY_MS) ?? lastMs(nowMs, DAY_MS);
      return getSources(sql, { projectId: project.id, filter: query, range }, nowMs);
    }),
  ];
}

function assertCalendarRange({ fromMs, toMs }: TimeRange): void {
  if (toMs - fromMs <= MAX_CALENDAR_MS) return;
  throw invalidQuery([{ pointer: "?from", detail: "makes more than 400 days: ask for a shorter range" }]);
}
