import { execFileSync } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readPostmasterFile } from "../../../db/embedded/postmaster-file.ts";
import {
  makeFolder,
  type Product,
  removeFolder,
  startProduct,
  waitUntilRolledUp,
  withDatabase,
} from "../../bench/support/product.ts";
import { startSenders } from "./senders.ts";
import { countStored, countWrongBuckets, type StoredCount } from "./stored.ts";

/** Who is ended by `kill -9`: the server with all that it holds in memory, or the main process of its database. */
export type Victim = "server" | "postgres";

export interface KillRound extends StoredCount {
  readonly round: number;
  readonly victim: Victim;
  readonly acknowledged: number;
  /** Buckets of rollups that are not what raw attempts say. */
  readonly wrongBuckets: number;
  /** From the kill to the first acknowledgement of something sent after it. */
  readonly recoveryMs: number;
  /** Answers other than 202, with how often they came. */
  readonly failures: ReadonlyMap<string, number>;
}

const MIN_BEFORE_KILL_MS = 400;
const MAX_BEFORE_KILL_MS = 1_800;
const AFTER_RECOVERY_MS = 500;
const GONE_WITHIN_MS = 20_000;
/** The supervisor waits up to 15 s before it starts a database again that ends over and over. */
const STUCK_AFTER_MS = 60_000;

/**
 * Kills the server in one round and its database in the next, while senders go on posting, and counts after each.
 * All rounds share one data folder; nothing is left behind.
 */
export async function runKillRounds(
  rounds: number,
  onRound: (round: KillRound) => void,
): Promise<KillRound[]> {
  const dataDir = makeFolder("faults");
  const done: KillRound[] = [];
  let product = await startProduct(dataDir);
  try {
    for (let round = 1; round <= rounds; round++) {
      const victim: Victim = round % 2 === 1 ? "server" : "postgres";
      const senders = startSenders(() => product.url, `round-${round}`);
      await senders.waitForAck(0);
      await sleep(MIN_BEFORE_KILL_MS + Math.random() * (MAX_BEFORE_KILL_MS - MIN_BEFORE_KILL_MS));
      const killedAtMs = performance.now();
      product = await killOne(product, victim);
      const within = <T>(what: string, work: Promise<T>) => inTime(`round ${round}: ${what}`, work, product);
      const recoveryMs = (await within("no recovery", senders.waitForAck(killedAtMs))) - killedAtMs;
      await sleep(AFTER_RECOVERY_MS);
      await within("some batch is never taken", senders.drain());
      const { acknowledged, failures } = senders;
      const counts = await withDatabase(dataDir, async (sql) => {
        await waitUntilRolledUp(sql);
        return {
          ...(await countStored(sql, `round-${round}`, acknowledged)),
          wrongBuckets: await countWrongBuckets(sql),
        };
      });
      const result = { round, victim, acknowledged: acknowledged.size, ...counts, recoveryMs, failures };
      done.push(result);
      onRound(result);
    }
    return done;
  } finally {
    await product.stop();
    await waitUntilGone(dataDir);
    removeFolder(dataDir);
  }
}

/** @throws Error with the end of what the server wrote when the work takes too long */
async function inTime<T>(what: string, work: Promise<T>, product: Product): Promise<T> {
  const timer = new AbortController();
  const late = sleep(STUCK_AFTER_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(
      `${what} within ${STUCK_AFTER_MS / 1000} s; the server wrote:\n${product.output().slice(-4_000)}`,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
  }
}

/** @returns the server that serves from now on */
async function killOne(product: Product, victim: Victim): Promise<Product> {
  if (victim === "server") {
    await product.kill();
    return await startProduct(product.dataDir);
  }
  const postmaster = readPostmasterFile(path.join(product.dataDir, "postgres"));
  if (postmaster === null) throw new Error("no database runs");
  process.kill(postmaster.pid, "SIGKILL");
  return product;
}

/** @throws Error that names the processes which a stopped server left behind */
async function waitUntilGone(dataDir: string): Promise<void> {
  const deadline = Date.now() + GONE_WITHIN_MS;
  for (;;) {
    const left = execFileSync("ps", ["-A", "-ww", "-o", "pid=,args="], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes(dataDir));
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`left behind:\n${left.join("\n")}`);
    await sleep(100);
  }
}
