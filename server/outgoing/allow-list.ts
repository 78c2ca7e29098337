import { isMetadata, type Network, parseNetwork } from "./address.ts";

/** What may be reached although it is not public. */
export interface AllowList {
  /** In lower case; one with a dot in front stands for all names below it. */
  readonly names: readonly string[];
  readonly networks: readonly Network[];
}

export const ALLOW_NOTHING: AllowList = { names: [], networks: [] };

const NAME = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?)*$/;

/**
 * Names (`hooks.corp.example`, `*.corp.example`), addresses and networks (`10.0.0.0/8`), with commas between.
 *
 * @returns the first entry that is none of these in place of a list
 */
export function parseAllowList(text: string): AllowList | { readonly fault: string } {
  const names: string[] = [];
  const networks: Network[] = [];
  for (const entry of text.split(",").map((part) => part.trim().toLowerCase())) {
    if (entry === "") continue;
    const network = parseNetwork(entry);
    if (network !== null) {
      if (isMetadata(network[0])) return { fault: entry };
      networks.push(network);
    } else if (NAME.test(entry) && !/^[\d.]+$/.test(entry)) names.push(entry.replace(/^\*/, ""));
    else return { fault: entry };
  }
  return { names, networks };
}

/** @param host as a URL has it */
export function isNamed({ names }: AllowList, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  return names.some((allowed) => (allowed.startsWith(".") ? name.endsWith(allowed) : name === allowed));
}
