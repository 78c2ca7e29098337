import { randomUUID } from "node:crypto";
import type { Sql } from "../../../../db/connect.ts";
import type { Admin } from "./admin.ts";

/** Words of which one stands in every text of a project: where they turn up says whose data it is. */
export const MARKS = { ours: "zqoursmark", theirs: "zqtheirsmark" } as const;
export type Side = keyof typeof MARKS;
export const SIDES = ["ours", "theirs"] as const;
export const SLUGS: Readonly<Record<Side, string>> = { ours: "default", theirs: "theirs" };
/** Names that both projects have, so that asking for one could find the other's. */
export const SHARED_NAMES = ["acme", "acme-large", "shared-event", "shared-request", "default"] as const;

/** Attempts and rules of a project, with its mark in every text that a sender or an admin names. */
export async function plant(admin: Admin, side: Side): Promise<void> {
  const mark = MARKS[side];
  const query = `?project=${SLUGS[side]}`;
  const now = Date.now();
  const events = Array.from({ length: 40 }, (_, i) => ({
    eventId: i === 0 ? "shared-event" : randomUUID(),
    occurredAt: now - i * 60_000,
    provider: i % 2 === 0 ? "acme" : `${mark}-provider`,
    model: i % 2 === 0 ? "acme-large" : `${mark}-model`,
    endpoint: `${mark}-endpoint`,
    source: `${mark}-source`,
    account: `${mark}-account`,
    chain: `${mark}-chain`,
    servedModel: `${mark}-served`,
    requestId: "shared-request",
    outcome: i % 3 === 0 ? "capacity" : "ok",
    latencyMs: 100,
    ...(i % 3 === 0 ? { error: { type: mark, message: `${mark} is full` } } : {}),
  }));
  const reporter = { id: `${mark}-reporter`, dropped: { [`${mark}-source`]: now % 1_000_000 } };
  await admin.must("POST", `/v1/attempts${query}`, {
    attempts: [...events, { source: `${mark}-source` }],
    reporter,
  });
  await admin.must("PUT", `/api/classification-rules${query}`, {
    rules: [{ id: `${mark}/rule`, outcome: "capacity", because: `${mark} says so`, code: mark }],
  });
  await admin.must("POST", `/v1/routers${query}`, {
    instance: `${mark}-router`,
    chain: `${mark}-chain`,
    source: `${mark}-source`,
    startedAt: now,
    planVersion: null,
  });
  await admin.must("POST", `/api/plans${query}`, {
    document: { timeZone: "UTC", chains: { [`${mark}-chain`]: {} } },
    reason: `${mark} draft`,
  });
  await admin.must("POST", `/api/invitations${query}`, { role: "viewer", note: `${mark} note` });
}

/** Throws away what callers made, which would only measure long lists; the projects get their names back. */
export async function tidy(
  sql: Sql,
  { bystanders, callers }: { readonly bystanders: readonly number[]; readonly callers: readonly number[] },
): Promise<void> {
  const keyNames = SIDES.map((side) => `${MARKS[side]} key`);
  await sql`delete from api_key where name <> all (${keyNames}::text[]) or revoked_at is not null`;
  await sql`delete from app_user where id <> all (${[...bystanders, ...callers]}::int[])`;
  // Whoever was removed is there again, and the first of them is the one owner: no caller ever becomes one.
  await sql`
    insert into app_user (id, name, is_owner) overriding system value
    select id, 'somebody', id = ${bystanders[0] ?? 1} from unnest(${[...bystanders]}::int[]) as t (id)
        on conflict (id) do update set is_owner = excluded.is_owner, disabled_at = null`;
  await sql`update app_user set is_owner = false where id = any (${[...callers]}::int[])`;
  await sql`delete from invitation`;
  for (const table of ["plan", "rehearsal", "router_instance"]) await sql`delete from ${sql(table)}`;
  await sql`
    delete from project where slug <> all (${[...Object.values(SLUGS), "spare", "sample"]}::text[])`;
  for (const side of SIDES) {
    await sql`update project set name = ${`${MARKS[side]} project`} where slug = ${SLUGS[side]}`;
  }
}
