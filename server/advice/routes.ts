import type { Sql } from "../../db/connect.ts";
import * as contract from "../contract/advice-routes.ts";
import { readInstant, readZone } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { getAdvice } from "./advice.ts";
import { getCapacity } from "./capacity-now.ts";
import { getOrders } from "./orders/orders.ts";
import { readTargets } from "./orders/read-targets.ts";
import { readAllowed } from "./read-allowed.ts";

export function adviceRoutes({ sql }: { sql: Sql }): BoundRoute[] {
  return [
    bindRoute(contract.getAdvice, async ({ project, query, nowMs }) =>
      getAdvice(sql, {
        projectId: project.id,
        filter: query,
        zone: readZone(query.zone, project),
        asOfMs: query.asOf === undefined ? nowMs : readInstant(query.asOf, "?asOf"),
        wish: { lengthHours: query.hours, allowed: readAllowed(query.allowed, query.hours) },
      }),
    ),
    bindRoute(contract.getOrders, async ({ project, query, nowMs }) =>
      getOrders(sql, {
        projectId: project.id,
        chain: query.chain,
        targets: query.targets === undefined ? null : readTargets(query.targets),
        zone: readZone(query.zone, project),
        asOfMs: query.asOf === undefined ? nowMs : readInstant(query.asOf, "?asOf"),
        nowMs,
        attempts: query.attempts,
        deadlineMs: query.deadlineMs,
      }),
    ),
    bindRoute(contract.getCapacity, async ({ project, query, nowMs }) =>
      getCapacity(sql, {
        projectId: project.id,
        filter: query,
        zone: readZone(query.zone, project),
        asOfMs: nowMs,
        wish: { lengthHours: query.hours, allowed: () => true },
      }),
    ),
  ];
}
