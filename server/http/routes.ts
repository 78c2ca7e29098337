import type { Sql } from "../../db/connect.ts";
import * as contract from "../contract/routes.ts";
import { toOpenApi } from "./openapi.ts";
import { type BoundRoute, bindRoute } from "./route.ts";

/** What watchers and generators of clients ask for. */
export function operationRoutes({ sql, version }: { sql: Sql; version: string }): BoundRoute[] {
  const document = toOpenApi(contract.ROUTES, version);
  return [
    bindRoute(contract.getHealth, async () => ({ status: "ok" as const })),
    bindRoute(contract.getReady, async () => {
      await sql`select 1`;
      return { status: "ready" as const };
    }),
    bindRoute(contract.getOpenApi, async () => document),
  ];
}
