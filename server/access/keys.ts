import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { Db, DbLike } from "../../db/drizzle.ts";
import { apiKey, project } from "../../db/schema/index.ts";
import { type Change, diff, noteChange, type Occasion } from "../audit/note-change.ts";
import type { CreatedKey, KeyRecord } from "../contract/access.ts";
import type { KeyKind, Scope } from "../contract/route.ts";
import { SCOPES } from "../contract/route.ts";
import type { ProjectRow } from "../projects/projects.ts";
import type { KeyPrincipal } from "./principal.ts";
import { hashSecret, randomSecret } from "./secret.ts";

type KeyRow = typeof apiKey.$inferSelect;

const PREFIXES: Readonly<Record<KeyKind, string>> = { ingest: "bhi_", read: "bhr_", admin: "bha_" };
/** How much of a key is kept readable. */
const PREFIX_LENGTH = 10;

export interface NewKey {
  readonly kind: KeyKind;
  readonly name: string;
  readonly scopes: readonly Scope[] | null;
  readonly eventsPerMinute: number | null;
  readonly expiresAt: Date | null;
}

async function insertKey(
  tx: DbLike,
  projectId: number,
  { scopes, ...given }: NewKey,
  now: Date,
): Promise<CreatedKey> {
  const key = PREFIXES[given.kind] + randomSecret();
  const [row] = await tx
    .insert(apiKey)
    .values({
      ...given,
      scopes: scopes === null ? null : [...scopes],
      projectId,
      createdAt: now,
      prefix: key.slice(0, PREFIX_LENGTH),
      hash: hashSecret(key),
    })
    .returning();
  if (row === undefined) throw new Error("the new key was not returned");
  return { ...toKeyRecord(row), key };
}

export function createKey(db: Db, owner: ProjectRow, given: NewKey, occasion: Occasion): Promise<CreatedKey> {
  return db.transaction(async (tx) => {
    const made = await insertKey(tx, owner.id, given, occasion.at);
    await noteChange(tx, occasion, { ...aboutKey("key.created", owner, made), after: toAudited(made) });
    return made;
  });
}

/**
 * Makes a key in the place of another, with all that the other may do; it expires after as long a time. The other
 * goes on working until the overlap is over.
 *
 * @returns `null` when the project has no such key, or it does not work any more
 */
export function rotateKey(
  db: Db,
  owner: ProjectRow,
  { id, overlapMs }: { id: number; overlapMs: number },
  occasion: Occasion,
): Promise<CreatedKey | null> {
  return db.transaction(async (tx) => {
    const mine = and(eq(apiKey.projectId, owner.id), eq(apiKey.id, id));
    const [old] = await tx
      .select()
      .from(apiKey)
      .where(and(mine, isLive(occasion.at), isNull(apiKey.replacedBy)))
      .for("update");
    if (old === undefined) return null;
    const nowMs = occasion.at.getTime();
    const lifeMs = old.expiresAt === null ? null : old.expiresAt.getTime() - old.createdAt.getTime();
    const made = await insertKey(
      tx,
      owner.id,
      {
        kind: old.kind,
        name: old.name,
        scopes: toScopes(old.scopes),
        eventsPerMinute: old.eventsPerMinute,
        expiresAt: lifeMs === null ? null : new Date(nowMs + lifeMs),
      },
      occasion.at,
    );
    const endsMs = Math.min(nowMs + overlapMs, old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const [ending] = await tx
      .update(apiKey)
      .set({ replacedBy: made.id, expiresAt: new Date(endsMs) })
      .where(mine)
      .returning();
    await noteChange(tx, occasion, {
      ...aboutKey("key.rotated", owner, old),
      ...diff(toAudited(toKeyRecord(old)), toAudited(toKeyRecord(ending ?? old))),
    });
    return made;
  });
}

/** The key as it is then; `null` when the project has no such key. */
export function changeKey(
  db: Db,
  owner: ProjectRow,
  id: number,
  change: { name?: string | undefined; eventsPerMinute?: number | null | undefined },
  occasion: Occasion,
): Promise<KeyRecord | null> {
  return updateKey(db, owner, id, "key.changed", change, occasion);
}

/** The key, revoked now unless it was before; `null` when the project has no such key. */
export function revokeKey(
  db: Db,
  owner: ProjectRow,
  id: number,
  occasion: Occasion,
): Promise<KeyRecord | null> {
  return updateKey(db, owner, id, "key.revoked", { revokedAt: occasion.at }, occasion);
}

function updateKey(
  db: Db,
  owner: ProjectRow,
  id: number,
  action: Change["action"],
  change: {
    name?: string | undefined;
    eventsPerMinute?: number | null | undefined;
    revokedAt?: Date;
  },
  occasion: Occasion,
): Promise<KeyRecord | null> {
  return db.transaction(async (tx) => {
    const mine = and(eq(apiKey.projectId, owner.id), eq(apiKey.id, id));
    const [old] = await tx.select().from(apiKey).where(mine).for("update");
    if (old === undefined) return null;
    const set = {
      name: change.name ?? old.name,
      eventsPerMinute: change.eventsPerMinute === undefined ? old.eventsPerMinute : change.eventsPerMinute,
      revokedAt: old.revokedAt ?? change.revokedAt ?? null,
    };
    const [row] = await tx.update(apiKey).set(set).where(mine).returning();
    const [before, after] = [toKeyRecord(old), toKeyRecord(row ?? old)];
    const changed = diff(toAudited(before), toAudited(after));
    if (Object.keys(changed.after).length > 0) {
      await noteChange(tx, occasion, { ...aboutKey(action, owner, old), ...changed });
    }
    return after;
  });
}

export async function listKeys(db: Db, projectId: number): Promise<KeyRecord[]> {
  const rows = await db.select().from(apiKey).where(eq(apiKey.projectId, projectId)).orderBy(apiKey.id);
  return rows.map(toKeyRecord);
}

const isLive = (now: Date) =>
  and(isNull(apiKey.revokedAt), or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, now)));

/** A key that works, and until when; `null`: until it is revoked. */
export interface LiveKey {
  readonly principal: KeyPrincipal;
  readonly expiresAt: Date | null;
}

/** The key with its project, or `null` when it is unknown, revoked or expired. */
export async function findLiveKey(db: Db, key: string, now: Date): Promise<LiveKey | null> {
  const [row] = await db
    .select({ key: apiKey, project })
    .from(apiKey)
    .innerJoin(project, eq(project.id, apiKey.projectId))
    .where(and(eq(apiKey.hash, hashSecret(key)), isLive(now)));
  if (row === undefined) return null;
  const { id, kind, name, scopes, eventsPerMinute, expiresAt } = row.key;
  return {
    principal: {
      via: "key",
      keyId: id,
      keyKind: kind,
      keyName: name,
      scopes: toScopes(scopes),
      eventsPerMinute,
      project: row.project,
    },
    expiresAt,
  };
}

export async function noteKeyUse(db: Db, projectId: number, id: number, now: Date): Promise<void> {
  await db
    .update(apiKey)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKey.projectId, projectId), eq(apiKey.id, id)));
}

/** Scopes that a later version wrote and this one does not know count for nothing. */
function toScopes(stored: readonly string[] | null): Scope[] | null {
  return stored === null ? null : SCOPES.filter((scope) => stored.includes(scope));
}

function toKeyRecord(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    prefix: row.prefix,
    scopes: toScopes(row.scopes),
    eventsPerMinute: row.eventsPerMinute,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    replacedBy: row.replacedBy,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}

/** What the audit log keeps of a key: all but its secret and what its use changes. */
function toAudited({ kind, name, scopes, eventsPerMinute, expiresAt, replacedBy, revokedAt }: KeyRecord) {
  return { kind, name, scopes, eventsPerMinute, expiresAt, replacedBy, revokedAt };
}

const aboutKey = (action: Change["action"], owner: ProjectRow, key: { id: number; name: string }) => ({
  action,
  project: owner,
  subject: { id: key.id, name: key.name },
});
