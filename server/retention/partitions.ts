import type { ISql, Sql } from "../../db/connect.ts";

const DAY_MS = 86_400_000;
/** Serializes the making of partitions over all servers. */
const PARTITION_LOCK = 20260705;

/** Days since the epoch, UTC. */
export type DayNumber = number;

export function toDayNumber(timeMs: number): DayNumber {
  return Math.floor(timeMs / DAY_MS);
}

/** `attempt_20260704` */
export function partitionName(day: DayNumber): string {
  return `attempt_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

export interface PartitionKeeper {
  /**
   * Makes the day partitions that are missing. A day whose partition cannot be made just now is left to the
   * default partition: the rows are safe there, and `keepPartitions` moves them later.
   */
  ensureDays(days: ReadonlySet<DayNumber>): Promise<void>;
}

export function createPartitionKeeper(sql: Sql): PartitionKeeper {
  const known = new Set<DayNumber>();
  let making: Promise<void> = Promise.resolve();

  return {
    async ensureDays(days) {
      const missing = [...days].filter((day) => !known.has(day));
      if (missing.length === 0) return;
      making = making.then(async () => {
        for (const day of missing.sort((a, b) => a - b)) {
          if (!known.has(day) && (await makePartition(sql, day))) known.add(day);
        }
      });
      const mine = making;
      making = mine.catch(() => {});
      await mine;
    },
  };
}

/**
 * Makes one day's partition and moves into it what the default partition holds of that day. The table is built
 * apart and attached, since `create table … partition of` would wait for every open ingest transaction.
 *
 * @returns whether the partition is there now; false when the lock was not to be had in two seconds
 */
export async function makePartition(sql: Sql, day: DayNumber): Promise<boolean> {
  const name = partitionName(day);
  const [from, to] = [new Date(day * DAY_MS).toISOString(), new Date((day + 1) * DAY_MS).toISOString()];
  try {
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${PARTITION_LOCK})`;
      if (await partitionExists(tx, name)) return;
      await tx`set local lock_timeout = '2s'`;
      await tx`create table ${tx(name)} (like attempt including all)`;
      await tx`lock table attempt_default in access exclusive mode`;
      await tx`
        with moved as (delete from attempt_default where occurred_at >= ${from} and occurred_at < ${to} returning *)
        insert into ${tx(name)} select * from moved`;
      await tx.unsafe(
        `alter table attempt attach partition ${name} for values from ('${from}') to ('${to}')`,
      );
    });
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

async function partitionExists(tx: ISql, name: string): Promise<boolean> {
  const [row] = await tx<{ found: boolean }[]>`select to_regclass(${name}) is not null as found`;
  return row?.found ?? false;
}

/** Whether a statement gave up waiting for a lock (SQLSTATE 55P03). */
export function isLockTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "55P03";
}

/** Days that have a partition of their own, ascending. */
export async function listPartitionDays(sql: ISql): Promise<DayNumber[]> {
  const rows = await sql<{ day: string }[]>`
    select substring(c.relname from 9) as day
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'attempt'::regclass and c.relname ~ '^attempt_[0-9]{8}$'
     order by 1`;
  return rows.map(({ day }) =>
    toDayNumber(Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`)),
  );
}

/** Days of which the default partition holds rows. */
export async function listStrayDays(sql: ISql): Promise<DayNumber[]> {
  const rows = await sql<{ day: number }[]>`
    select distinct floor(extract(epoch from occurred_at) / 86400)::int as day from attempt_default order by 1`;
  return rows.map(({ day }) => day);
}
