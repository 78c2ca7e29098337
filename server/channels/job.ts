import type { Sql } from "../../db/connect.ts";
import { isDatabaseAway } from "../ingest/failure.ts";
import { type AttemptDeps, type Attempted, attemptDelivery } from "./attempt.ts";
import { type Claimed, claimNext, TAKEOVER_MS } from "./claim.ts";
import { DAY_MS, HOUR_MS } from "./kinds/kind.ts";
import { listDueChannels, pruneDeliveries } from "./outbox-queries.ts";
import type { ChannelKey } from "./queries.ts";
import { settleTry } from "./settle.ts";

export interface DeliveryDeps extends AttemptDeps {
  readonly sql: Sql;
  /** In [0, 1). */
  readonly random: () => number;
  /** Ends when the job should look again although a channel is slow. */
  readonly patience: () => Promise<void>;
  /** Ends when a database that was away may be back. */
  readonly breathe: () => Promise<void>;
}

export interface Deliveries {
  /** Sends what is due, in order per channel. @returns how many tries were made by the time it returns */
  run(nowMs: number): Promise<number>;
  /** Begins nothing new, and waits for what is under way. */
  stop(): Promise<void>;
}

const KEPT_MS = 30 * DAY_MS;
/** Before another server may take over what this one sends. */
const MARGIN_MS = 5_000;

/** The `deliveries` job. A slow channel holds up nobody but itself. */
export function createDeliveries(deps: DeliveryDeps): Deliveries {
  const { sql, now, random, log } = deps;
  const busy = new Map<string, Promise<void>>();
  let isStopped = false;
  let prunedMs = Number.NEGATIVE_INFINITY;

  /** @returns tries that were made */
  async function drain(key: ChannelKey, count: () => void): Promise<void> {
    while (!isStopped) {
      const claimed = await claimNext(sql, key, now());
      if (claimed === null) return;
      const tried = await attemptDelivery(deps, claimed);
      await settle(claimed, tried);
      count();
      if (tried.verdict.is === "retry") return;
    }
  }

  /** What was sent must be written down, also when the database goes away just now: else it would be sent again. */
  async function settle(claimed: Claimed, tried: Attempted): Promise<void> {
    const untilMs = tried.atMs + TAKEOVER_MS - MARGIN_MS;
    for (;;) {
      try {
        return await settleTry(sql, claimed, tried, { nowMs: now(), random: random() });
      } catch (error) {
        if (!isDatabaseAway(error) || now() >= untilMs) throw error;
        await deps.breathe();
      }
    }
  }

  return {
    async run(nowMs) {
      let tries = 0;
      if (nowMs - prunedMs >= HOUR_MS) {
        prunedMs = nowMs;
        await pruneDeliveries(sql, new Date(nowMs - KEPT_MS));
      }
      for (const key of await listDueChannels(sql, nowMs)) {
        const name = `${key.projectId}/${key.channelId}`;
        if (busy.has(name) || isStopped) continue;
        const work = drain(key, () => {
          tries++;
        })
          .catch((error: unknown) => {
            log.error(
              { err: error, channel: key.channelId },
              "a channel's outbox is stuck; the next run tries again",
            );
          })
          .finally(() => busy.delete(name));
        busy.set(name, work);
      }
      await Promise.race([Promise.all(busy.values()), deps.patience()]);
      return tries;
    },
    async stop() {
      isStopped = true;
      await Promise.all(busy.values());
    },
  };
}
