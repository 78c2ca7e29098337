import { randomUUID } from "node:crypto";
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "../database-error.ts";
import {
  findTouchedAt,
  listClaims,
  type OwnerClaim,
  removeClaim,
  removeUnfinishedClaims,
  touchClaim,
  writeClaim,
} from "./owner-claim.ts";
import { describeMyself, judgeLiveness } from "./process-identity.ts";

/** Held by the one process that may run the database of a data folder. */
export interface OwnerLock {
  release(): void;
}

const TOUCH_EVERY_MS = 1_500;
/** A claim that nobody touched for so long is dead, where its process can't be looked at. */
const SILENCE_MS = 4_500;
/** How long to wait for another process to make up its mind. */
const DECIDE_MS = 3_000;
const LOOK_EVERY_MS = 20;

/**
 * Claims the data folder for this process, or refuses. A dead process never blocks it, nor does a later one with
 * its number.
 *
 * Every process first shows its own claim and then looks at the others', so of two that start together at least
 * one sees the other. Who holds the folder keeps it; among those that only claim, the lowest ticket waits
 * until the others have stepped back (or one of them, which had looked earlier, has it).
 *
 * @throws DatabaseError `embedded_in_use` with the other process's number
 */
export async function acquireOwnerLock(dataDir: string, signal?: AbortSignal): Promise<OwnerLock> {
  const me: OwnerClaim = {
    ...describeMyself(),
    token: randomUUID(),
    hostname: os.hostname(),
    ticket: `${Date.now()}-${process.hrtime.bigint()}-${randomUUID()}`,
    holds: false,
  };
  writeClaim(dataDir, me);
  try {
    await outlastOthers(dataDir, me, signal);
    me.holds = true;
    writeClaim(dataDir, me);
  } catch (error) {
    removeClaim(dataDir, me);
    throw error;
  }
  removeUnfinishedClaims(dataDir);
  const heartbeat = setInterval(() => touchClaim(dataDir, me), TOUCH_EVERY_MS).unref();
  return {
    release() {
      clearInterval(heartbeat);
      removeClaim(dataDir, me);
    },
  };
}

async function outlastOthers(dataDir: string, me: OwnerClaim, signal?: AbortSignal): Promise<void> {
  const deadline = Date.now() + DECIDE_MS;
  for (;;) {
    const others = await listLiving(dataDir, me);
    const winner = others.find((other) => other.holds || other.ticket < me.ticket);
    if (winner !== undefined) throw inUse(dataDir, winner);
    const [undecided] = others;
    if (undecided === undefined) return;
    if (Date.now() > deadline) throw inUse(dataDir, undecided);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** The others' claims, without those of dead processes, which are removed on the way. */
async function listLiving(dataDir: string, me: OwnerClaim): Promise<OwnerClaim[]> {
  const living: OwnerClaim[] = [];
  for (const claim of listClaims(dataDir)) {
    if (claim.token === me.token) continue;
    if (await isAlive(dataDir, claim, me)) living.push(claim);
    else removeClaim(dataDir, claim);
  }
  return living;
}

async function isAlive(dataDir: string, claim: OwnerClaim, me: OwnerClaim): Promise<boolean> {
  const liveness = judgeLiveness(claim, me);
  if (liveness !== "unknown") return liveness === "alive";
  if (claim.bootId !== me.bootId && claim.hostname === me.hostname) return false; // this machine, before it started anew
  return await isTouched(dataDir, claim);
}

/** Watches a claim from another container or machine for a sign of life. Its clock may differ: only change counts. */
async function isTouched(dataDir: string, claim: OwnerClaim): Promise<boolean> {
  const before = findTouchedAt(dataDir, claim);
  const deadline = Date.now() + SILENCE_MS;
  while (Date.now() < deadline) {
    await sleep(100);
    const now = findTouchedAt(dataDir, claim);
    if (now === null) return false;
    if (now !== before) return true;
  }
  return false;
}

function inUse(dataDir: string, other: OwnerClaim): DatabaseError {
  const where = other.hostname === os.hostname() ? "" : ` on ${other.hostname}`;
  return new DatabaseError("embedded_in_use", {
    what: `The database in ${dataDir} is in use by process ${other.pid}${where}: another Busyhour runs there.`,
    mend: "Stop that one, choose another data folder, or set DATABASE_URL.",
  });
}
