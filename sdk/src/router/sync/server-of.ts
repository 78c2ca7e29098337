import type { PlanSource } from "./plan-source.ts";

/** The server that a router gets its plan from: what is to be told of the router is told there. */
export type KnownServer = Pick<PlanSource, "url" | "key" | "fetch">;

const servers = new WeakMap<object, KnownServer>();

export function rememberServer(router: object, server: KnownServer): void {
  servers.set(router, server);
}

export function findServerOf(router: object): KnownServer | null {
  return servers.get(router) ?? null;
}
