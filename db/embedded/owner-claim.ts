import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ProcessIdentity } from "./process-identity.ts";

/**
 * One process's claim to the data folder: a file `owner.<token>.json` of its own, with a name no other ever has.
 * So removing the claim of a dead process can never hit the one of a living.
 */
export interface OwnerClaim extends ProcessIdentity {
  token: string;
  /** For people: in a container, its id. */
  hostname: string;
  /** Among those that claim at the same time, the lowest wins. */
  ticket: string;
  /** Whether it has the folder, or only asks for it. */
  holds: boolean;
}

/** Writing one takes a moment. */
const UNFINISHED_AFTER_MS = 60_000;

/** Appears at once and whole. */
export function writeClaim(dataDir: string, claim: OwnerClaim): void {
  const fresh = path.join(dataDir, `.owner.${claim.token}`);
  writeFileSync(fresh, `${JSON.stringify(claim, null, 2)}\n`, { mode: 0o644 });
  renameSync(fresh, fileOf(dataDir, claim));
}

export function removeClaim(dataDir: string, claim: Pick<OwnerClaim, "token">): void {
  rmSync(fileOf(dataDir, claim), { force: true });
}

/** Shows that we live to those who can't see our process; writes the file again if someone removed it. */
export function touchClaim(dataDir: string, claim: OwnerClaim): void {
  try {
    const now = new Date();
    utimesSync(fileOf(dataDir, claim), now, now);
  } catch {
    try {
      writeClaim(dataDir, claim);
    } catch {
      // A full or vanished disk is the database's to report.
    }
  }
}

/** When it was last touched, in milliseconds; `null` once it is gone. */
export function findTouchedAt(dataDir: string, claim: Pick<OwnerClaim, "token">): number | null {
  return statSync(fileOf(dataDir, claim), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Removes half-written claims: a process that was killed while it wrote one can't do so. */
export function removeUnfinishedClaims(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const file = path.join(dataDir, name);
    if (!name.startsWith(".owner.")) continue;
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > UNFINISHED_AFTER_MS) rmSync(file, { force: true });
  }
}

export function listClaims(dataDir: string): OwnerClaim[] {
  return readdirSync(dataDir).flatMap((name) => {
    const token = /^owner\.([0-9a-f-]+)\.json$/.exec(name)?.[1];
    if (token === undefined) return [];
    const claim = readClaim(path.join(dataDir, name));
    if (claim === "gone") return [];
    if (claim !== null && claim.token === token) return [claim];
    removeClaim(dataDir, { token }); // claims appear whole: this one was cut by a power failure
    return [];
  });
}

function readClaim(file: string): OwnerClaim | "gone" | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return "gone";
  }
  try {
    const value: unknown = JSON.parse(text);
    return isClaim(value) ? value : null;
  } catch {
    return null;
  }
}

function isClaim(value: unknown): value is OwnerClaim {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  const texts = ["token", "hostname", "ticket", "startedAt", "bootId", "pidNamespace"];
  return (
    typeof fields["pid"] === "number" &&
    typeof fields["holds"] === "boolean" &&
    texts.every((name) => typeof fields[name] === "string")
  );
}

function fileOf(dataDir: string, { token }: Pick<OwnerClaim, "token">): string {
  return path.join(dataDir, `owner.${token}.json`);
}
