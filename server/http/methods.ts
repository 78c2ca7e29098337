import type { Express } from "express";
import type { RouteContract } from "../contract/route.ts";
import { scrubText } from "../ingest/scrub.ts";
import { AppError } from "./app-error.ts";

/** Answers the methods that a path of ours does not have, after the ones that it has were mounted. */
export function refuseOtherMethods(app: Express, contracts: readonly RouteContract[]): void {
  for (const path of new Set(contracts.map((contract) => contract.path))) {
    const methods = listMethods(contracts.filter((contract) => contract.path === path));
    const allow = methods.join(", ");
    app.all(path, (req, res) => {
      if (req.method === "OPTIONS") {
        res.set("Allow", allow).status(204).end();
        return;
      }
      throw new AppError({
        status: 405,
        code: "method_not_allowed",
        title: "This path takes other methods",
        detail: `${req.method} ${scrubText(req.path)} is no route; there is ${allow}. See /openapi.json.`,
        headers: { Allow: allow },
      });
    });
  }
}

/** Express answers HEAD where there is a GET, and we answer OPTIONS everywhere. */
function listMethods(contracts: readonly RouteContract[]): string[] {
  const methods = contracts.map(({ method }) => method.toUpperCase());
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
}
