import type { Sql } from "../../db/connect.ts";
import * as contract from "../contract/advice-routes.ts";
import { invalidQuery } from "../http/parse.ts";
import { readInstant, readZone } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { HOURS } from "../profile/day-hours.ts";
import { getAdvice } from "./advice.ts";
import { getCapacity } from "./capacity-now.ts";
import { getOrders } from "./orders/orders.ts";
import { readTargets } from "./orders/read-targets.ts";

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
        policy: { attempts: query.attempts, deadlineMs: query.deadlineMs },
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

/**
 * `8-20`: from 08:00 to 20:00; `22-6` crosses midnight.
 *
 * @throws AppError 422 where it is none, or has no room for a window
 */
function readAllowed(allowed: string | undefined, lengthHours: number): (hour: number) => boolean {
  if (allowed === undefined) return () => true;
  const [, from, to] = (/^(\d{1,2})-(\d{1,2})$/.exec(allowed) ?? []).map(Number);
  if (from === undefined || to === undefined || from >= HOURS || to > HOURS || from === to % HOURS) {
    throw invalidQuery([{ pointer: "?allowed", detail: "is not two hours of the day, like 8-20 or 22-6" }]);
  }
  if ((to - from + HOURS) % HOURS < lengthHours) {
    throw invalidQuery([{ pointer: "?allowed", detail: "is shorter than the wanted window" }]);
  }
  return (hour) => (from < to ? hour >= from && hour < to : hour >= from || hour < to);
}
