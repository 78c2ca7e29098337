import { type Address, isMetadata, isPublic, isWithin, parseAddress } from "./address.ts";
import { type AllowList, isNamed } from "./allow-list.ts";
import { OutgoingError } from "./outgoing-error.ts";

const MAX_URL_LENGTH = 2_048;

/**
 * The URL, as far as it can be judged before its name is looked up: what is said to a person who enters one.
 *
 * @throws OutgoingError
 */
export function checkUrl(text: string, allow: AllowList): URL {
  if (text.length > MAX_URL_LENGTH) throw badUrl(`is longer than ${MAX_URL_LENGTH} characters`);
  if (!URL.canParse(text)) throw badUrl("is no URL: it looks like https://hooks.example.com/path");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw badUrl("must begin with https://");
  if (url.username !== "" || url.password !== "")
    throw badUrl("must not carry a user or a password: give these in a header");
  const address = parseAddress(url.hostname);
  if (address !== null) assertMayReach(url.hostname, [address], allow);
  if (url.protocol === "http:" && !isListed(url.hostname, allow))
    throw badUrl(
      "must begin with https://: without encryption only hosts of BUSYHOUR_OUTGOING_ALLOW are called",
    );
  return url;
}

/** Whether whoever runs the server named this host, or its address: such a host may be spoken to without encryption. */
export function isListed(host: string, allow: AllowList): boolean {
  const address = parseAddress(host);
  return isNamed(allow, host) || (address !== null && isWithin(address, allow.networks));
}

/**
 * All that a name leads to must be allowed: one private address among public ones is no mistake.
 *
 * @throws OutgoingError
 */
export function assertMayReach(host: string, addresses: readonly Address[], allow: AllowList): void {
  const mayReach = (address: Address) =>
    !isMetadata(address) && (isPublic(address) || isNamed(allow, host) || isWithin(address, allow.networks));
  if (addresses.every(mayReach)) return;
  const isLocal = addresses.some(isMetadata);
  throw new OutgoingError({
    code: "outgoing_refused",
    message: isLocal
      ? `${show(host)} leads to an address of the cloud or the link itself, which is never called`
      : `${show(host)} leads to an address that is not public: whoever runs this server can allow it with BUSYHOUR_OUTGOING_ALLOW`,
  });
}

function badUrl(what: string): OutgoingError {
  return new OutgoingError({ code: "outgoing_bad_url", message: `The address ${what}` });
}

const show = (host: string) => host.slice(0, 100);
