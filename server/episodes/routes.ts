import type { Sql } from "../../db/connect.ts";
import { HEATMAP_LOOKBACK_MS } from "../capacity/heatmap.ts";
import * as contract from "../contract/advice-routes.ts";
import { lastMs, readRange, readZone } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { getEpisodes } from "./episodes.ts";

export function episodeRoutes({ sql }: { sql: Sql }): BoundRoute[] {
  return [
    bindRoute(contract.getEpisodes, async ({ project, query, nowMs }) =>
      getEpisodes(sql, {
        projectId: project.id,
        filter: query,
        zone: readZone(query.zone, project),
        range: readRange(query, nowMs, HEATMAP_LOOKBACK_MS) ?? lastMs(nowMs, HEATMAP_LOOKBACK_MS),
      }),
    ),
  ];
}
