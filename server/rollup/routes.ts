import type { Sql } from "../../db/connect.ts";
import { noteChangeSql } from "../audit/note-change.ts";
import * as contract from "../contract/routes.ts";
import { readRange } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { queueRebuild } from "./rebuild.ts";

export function rollupRoutes({ sql, onQueued }: { sql: Sql; onQueued: () => void }): BoundRoute[] {
  return [
    bindRoute(contract.postRebuilds, async ({ project, body, nowMs, occasion }) => {
      const range = readRange(body, nowMs, Number.POSITIVE_INFINITY, "/");
      // Days are put on the queue one at a time; that it was asked for is told before the first.
      await noteChangeSql(sql, occasion, {
        action: "rollups.rebuilt",
        project,
        subject: project,
        after: { from: body.from ?? null, to: body.to ?? null },
      });
      const report = await queueRebuild(sql, { projectId: project.id, ...range });
      onQueued();
      return report;
    }),
  ];
}
