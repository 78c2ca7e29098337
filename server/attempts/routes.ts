import { OUTCOMES } from "@busyhour/sdk";
import type { Sql } from "../../db/connect.ts";
import * as contract from "../contract/routes.ts";
import { invalidQuery } from "../http/parse.ts";
import { lastMs, readRange } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { toUuid } from "../ingest/event-id.ts";
import { MAX_AHEAD_MS } from "../ingest/parse-attempt.ts";
import { DAY_MS } from "../rollup/levels.ts";
import { parseCursor, toAttemptRecord, toCursor } from "./page.ts";
import { listAttempts } from "./queries.ts";

export function attemptRoutes({ sql }: { sql: Sql }): BoundRoute[] {
  return [
    bindRoute(contract.getAttempts, async ({ project, query, nowMs }) => {
      const range = readRange(query, nowMs, DAY_MS) ?? lastMs(nowMs, DAY_MS);
      const after = query.cursor === undefined ? null : parseCursor(query.cursor);
      if (query.cursor !== undefined && after === null) {
        throw invalidQuery([{ pointer: "?cursor", detail: "must be the `next` of a page, unchanged" }]);
      }
      const rows = await listAttempts(sql, {
        projectId: project.id,
        filter: query,
        fromMs: range.fromMs,
        // An end at or past now takes in what clocks that run ahead sent.
        toMs: range.toMs >= nowMs ? Math.max(range.toMs, nowMs + MAX_AHEAD_MS) : range.toMs,
        outcomeCode: query.outcome === undefined ? null : OUTCOMES.indexOf(query.outcome),
        requestId: query.requestId === undefined ? null : toUuid(query.requestId),
        eventId: query.eventId === undefined ? null : toUuid(query.eventId),
        limit: query.limit + 1,
        after,
      });
      const page = rows.slice(0, query.limit);
      const last = page.at(-1);
      return {
        range: { from: new Date(range.fromMs).toISOString(), to: new Date(range.toMs).toISOString() },
        attempts: page.map(toAttemptRecord),
        next: rows.length > query.limit && last !== undefined ? toCursor(last) : null,
      };
    }),
  ];
}
