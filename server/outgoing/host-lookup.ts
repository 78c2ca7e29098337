import dns from "node:dns";
import { parseAddress } from "./address.ts";
import type { AllowList } from "./allow-list.ts";
import { assertMayReach } from "./check.ts";
import { OutgoingError } from "./outgoing-error.ts";

/** All addresses of a name, in the order in which they are to be tried. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * All addresses of a name, once each of them is allowed: what is connected to must be one of these, and the name not
 * looked up a second time.
 *
 * @throws OutgoingError when the name leads nowhere, or somewhere that is not allowed
 */
export type HostLookup = (host: string) => Promise<readonly string[]>;

/** @param resolve the system's own when left out */
export function createHostLookup(allow: AllowList, resolve: Resolve = resolveBySystem): HostLookup {
  return async (host) => {
    const found = (await resolve(host).catch((error) => throwNotFound(host, error))).map(parseAddress);
    const addresses = found.filter((address) => address !== null);
    if (addresses.length === 0 || addresses.length < found.length) throwNotFound(host, undefined);
    assertMayReach(host, addresses, allow);
    return addresses.map((address) => address.toString());
  };
}

async function resolveBySystem(host: string): Promise<readonly string[]> {
  return (await dns.promises.lookup(host, { all: true })).map(({ address }) => address);
}

function throwNotFound(host: string, cause: unknown): never {
  throw new OutgoingError({
    code: "outgoing_not_found",
    message: `There is no host ${host.slice(0, 100)}`,
    ...(cause === undefined ? {} : { cause }),
  });
}
