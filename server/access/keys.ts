import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../../db/drizzle.ts";
import { apiKey, project } from "../../db/schema/index.ts";
import type { CreatedKey, KeyRecord } from "../contract/access.ts";
import type { KeyKind } from "../contract/route.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { hashSecret, randomSecret } from "./secret.ts";

type KeyRow = typeof apiKey.$inferSelect;

const PREFIXES: Readonly<Record<KeyKind, string>> = { ingest: "bhi_", read: "bhr_", admin: "bha_" };
/** How much of a key is kept readable. */
const PREFIX_LENGTH = 10;

export async function createKey(
  db: Db,
  projectId: number,
  { kind, name }: { kind: KeyKind; name: string },
): Promise<CreatedKey> {
  const key = PREFIXES[kind] + randomSecret();
  const [row] = await db
    .insert(apiKey)
    .values({ projectId, kind, name, prefix: key.slice(0, PREFIX_LENGTH), hash: hashSecret(key) })
    .returning();
  if (row === undefined) throw new Error("the new key was not returned");
  return { ...toKeyRecord(row), key };
}

export async function listKeys(db: Db, projectId: number): Promise<KeyRecord[]> {
  const rows = await db.select().from(apiKey).where(eq(apiKey.projectId, projectId)).orderBy(apiKey.id);
  return rows.map(toKeyRecord);
}

/** The key, revoked now unless it was before; `null` when the project has no such key. */
export async function revokeKey(db: Db, projectId: number, id: number, now: Date): Promise<KeyRecord | null> {
  const mine = and(eq(apiKey.projectId, projectId), eq(apiKey.id, id));
  await db
    .update(apiKey)
    .set({ revokedAt: now })
    .where(and(mine, isNull(apiKey.revokedAt)));
  const [row] = await db.select().from(apiKey).where(mine);
  return row === undefined ? null : toKeyRecord(row);
}

export interface LiveKey {
  readonly id: number;
  readonly kind: KeyKind;
  readonly project: ProjectRow;
}

/** The key that is not revoked, with its project, or `null`. */
export async function findLiveKey(db: Db, key: string): Promise<LiveKey | null> {
  const [row] = await db
    .select({ id: apiKey.id, kind: apiKey.kind, project })
    .from(apiKey)
    .innerJoin(project, eq(project.id, apiKey.projectId))
    .where(and(eq(apiKey.hash, hashSecret(key)), isNull(apiKey.revokedAt)));
  return row ?? null;
}

export async function noteKeyUse(db: Db, projectId: number, id: number, now: Date): Promise<void> {
  await db
    .update(apiKey)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKey.projectId, projectId), eq(apiKey.id, id)));
}

function toKeyRecord(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}
