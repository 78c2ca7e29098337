import type { Sql } from "../../db/connect.ts";
import { noteChangeSql } from "../audit/note-change.ts";
import * as contract from "../contract/routes.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import type { Secrets } from "./secrets.ts";

export function secretRoutes({ secrets, sql }: { secrets: Secrets; sql: Sql }): BoundRoute[] {
  return [
    bindRoute(contract.postSecretRotations, async ({ occasion }) => {
      // Secrets are encrypted anew some at a time; that it was asked for is told before the first.
      const subject = { id: "secrets", name: "secrets" };
      await noteChangeSql(sql, occasion, { action: "secrets.rotated", project: null, subject });
      return secrets.rotate();
    }),
  ];
}
