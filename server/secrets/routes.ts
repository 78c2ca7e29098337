import * as contract from "../contract/routes.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import type { Secrets } from "./secrets.ts";

export function secretRoutes({ secrets }: { readonly secrets: Secrets }): BoundRoute[] {
  return [bindRoute(contract.postSecretRotations, async () => secrets.rotate())];
}
