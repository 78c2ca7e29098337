import { createHash } from "node:crypto";
import type { PublishedPlan } from "../contract/plan.ts";

export interface StoredPlan {
  readonly version: number;
  readonly document: Readonly<Record<string, unknown>>;
}

/** A plan as a router gets it, and what tells it from every other. */
export interface Published {
  readonly plan: PublishedPlan;
  /** With its quotes. */
  readonly etag: string;
}

/** Before anything was published: it changes nothing of a chain in code. */
const NOTHING: StoredPlan = { version: 0, document: { timeZone: "UTC", chains: {} } };

/** @param chain leaves out the others; all when it is not named */
export function toPublished(stored: StoredPlan | null, chain?: string): Published {
  const { version, document } = stored ?? NOTHING;
  const plan = { ...document, version } as PublishedPlan;
  if (chain !== undefined) {
    const only = Object.hasOwn(plan.chains, chain) ? plan.chains[chain] : undefined;
    plan.chains = only === undefined ? {} : { [chain]: only };
  }
  const hash = createHash("sha256").update(JSON.stringify(plan)).digest("base64url").slice(0, 12);
  return { plan, etag: `"v${version}-${hash}"` };
}

/** Whether one of the tags of `If-None-Match` is this one; `*` is every one. */
export function isNamed(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etag);
}

/** The version that `If-Match` names; `null` when it names none of ours. */
export function versionOf(header: string | undefined): number | null {
  const match = /^\s*(?:W\/)?"v(\d{1,9})(?:-[\w-]+)?"\s*$/.exec(header ?? "");
  return match === null ? null : Number(match[1]);
}
