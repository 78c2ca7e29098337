import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = [Address, number];

const network = (cidr: string): Network => ipaddr.parseCIDR(cidr);

/** The only part of IPv6 that is given out for the public network. */
const GLOBAL_UNICAST = network("2000::/3");

/**
 * Where clouds answer any machine with its own credentials, and link-local addresses as a whole. No setting opens
 * these.
 */
const METADATA: readonly Network[] = [
  "169.254.0.0/16",
  "fe80::/10",
  // Alibaba, Oracle, Azure; AWS and Google over IPv6.
  "100.100.100.200/32",
  "192.0.0.192/32",
  "168.63.129.16/32",
  "fd00:ec2::254/128",
  "fd20:ce::254/128",
].map(network);

/** Ranges of IPv6 that carry an address of IPv4, with the byte at which it begins. */
const CARRIERS: readonly (readonly [carrier: Network, at: number])[] = [
  [network("::/96"), 12],
  [network("::ffff:0:0/96"), 12],
  [network("::ffff:0:0:0/96"), 12],
  [network("64:ff9b::/96"), 12],
  [network("64:ff9b:1::/48"), 12],
  [network("2002::/16"), 2],
];

/** @returns `null` for what is no address in its usual spelling */
export function parseAddress(text: string): Address | null {
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  if (ipaddr.IPv6.isValid(bare)) return ipaddr.IPv6.parse(bare);
  return ipaddr.IPv4.isValidFourPartDecimal(bare) ? ipaddr.IPv4.parse(bare) : null;
}

/** @returns `null` for what is no network like 10.0.0.0/8 and no address */
export function parseNetwork(text: string): Network | null {
  const address = parseAddress(text);
  if (address !== null) return [address, address.kind() === "ipv4" ? 32 : 128];
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null;
}

export function isWithin(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

/** Whether the address, or one of IPv4 that it carries, is one of the cloud's own or link-local. */
export function isMetadata(address: Address): boolean {
  return [address, ...listCarried(address)].some((one) => isWithin(one, METADATA));
}

/**
 * Whether anybody on the internet could be reached there. Everything that is reserved, local, or that carries an
 * address of IPv4 (mapped, compatible, NAT64, 6to4, Teredo) is not.
 */
export function isPublic(address: Address): boolean {
  if (isMetadata(address) || address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || isWithin(address, [GLOBAL_UNICAST]);
}

function listCarried(address: Address): ipaddr.IPv4[] {
  if (address.kind() === "ipv4") return [];
  const bytes = address.toByteArray();
  return CARRIERS.filter(([carrier]) => isWithin(address, [carrier])).map(
    ([, at]) => new ipaddr.IPv4(bytes.slice(at, at + 4)),
  );
}
