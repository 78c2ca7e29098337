import type { Sql } from "../../db/connect.ts";
import * as contract from "../contract/routes.ts";
import { readRange } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { queueRebuild } from "./rebuild.ts";

export function rollupRoutes({ sql, onQueued }: { sql: Sql; onQueued: () => void }): BoundRoute[] {
  return [
    bindRoute(contract.postRebuilds, async ({ project, body, nowMs }) => {
      const range = readRange(body, nowMs, Number.POSITIVE_INFINITY, "/");
      const report = await queueRebuild(sql, { projectId: project.id, ...range });
      onQueued();
      return report;
    }),
  ];
}
