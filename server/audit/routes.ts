import type { Sql } from "../../db/connect.ts";
import * as contract from "../contract/access-routes.ts";
import type { AuditPage } from "../contract/audit.ts";
import { cutPage, readCursor } from "../http/cursor.ts";
import { readRange } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { listAuditEntries } from "./queries.ts";

interface AuditQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly q?: string | undefined;
  readonly action?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export function auditRoutes({ sql }: { sql: Sql }): BoundRoute[] {
  async function getPage(projectId: number | null, query: AuditQuery, nowMs: number): Promise<AuditPage> {
    const range = readRange(query, nowMs, Number.POSITIVE_INFINITY);
    const entries = await listAuditEntries(sql, {
      projectId,
      from: range === null || !Number.isFinite(range.fromMs) ? null : new Date(range.fromMs),
      to: query.to === undefined || range === null ? null : new Date(range.toMs),
      action: query.action ?? null,
      text: query.q === undefined || query.q === "" ? null : query.q,
      before: readCursor(query.cursor, "bigint"),
      limit: query.limit + 1,
    });
    const { page, next } = cutPage(entries, query.limit);
    return { entries: page, next };
  }
  return [
    bindRoute(contract.getAudit, ({ project, query, nowMs }) => getPage(project.id, query, nowMs)),
    bindRoute(contract.getInstallationAudit, ({ query, nowMs }) => getPage(null, query, nowMs)),
  ];
}
