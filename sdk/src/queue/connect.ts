import { readPlanSource } from "../router/sync/plan-source.ts";
import { findServerOf } from "../router/sync/server-of.ts";
import { createTransport } from "../router/sync/transport.ts";
import type { RouterSystem } from "../router/system.ts";
import { createQueueClient, type QueueClient } from "./queue-client.ts";
import type { QueueServer } from "./types.ts";

/** @throws {TypeError} where no server is named, by itself or by a router's plan */
export function connectToQueue(
  who: string,
  { router, ...given }: Partial<QueueServer> & { readonly router?: object | undefined },
  system: RouterSystem,
): QueueClient {
  const known = router === undefined ? null : findServerOf(router);
  const url = given.url ?? known?.url;
  const key = given.key ?? known?.key;
  if (url === undefined || key === undefined)
    throw new TypeError(
      `${who}: url and key must name the Busyhour server, unless a router has its plan from one`,
    );
  const server = readPlanSource({ url, key });
  if ("fault" in server) throw new TypeError(`${who}: ${server.fault.replace("plan.", "")}`);
  return createQueueClient({
    base: server.base,
    key,
    transport: createTransport(given.fetch ?? known?.fetch),
    system,
  });
}
