import type { Sql } from "../../db/connect.ts";

/**
 * Takes or renews a lease: one server at a time holds it, and keeps it while it renews in time. When the holder
 * dies, another gets it once the lease has run out, by the database's clock, which all servers share.
 *
 * @returns whether `holder` has it now
 */
export async function takeLease(sql: Sql, name: string, holder: string, leaseMs: number): Promise<boolean> {
  const rows = await sql`
    insert into job_lease as l (name, holder, expires_at)
    values (${name}, ${holder}, now() + ${leaseMs} * interval '1 millisecond')
        on conflict (name) do update
       set holder = excluded.holder, expires_at = excluded.expires_at
     where l.holder = excluded.holder or l.expires_at <= now()
    returning name`;
  return rows.length === 1;
}

/** Gives up all that `holder` has, so that others need not wait for it to run out. */
export async function releaseLeases(sql: Sql, holder: string): Promise<void> {
  await sql`delete from job_lease where holder = ${holder}`;
}
