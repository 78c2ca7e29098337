import { and, eq, gt, lte } from "drizzle-orm";
import type { Db } from "../../db/drizzle.ts";
import { appUser, session, signInLink } from "../../db/schema/index.ts";
import type { Role } from "../contract/route.ts";
import { hashSecret, randomSecret } from "./secret.ts";

export const SESSION_COOKIE = "busyhour_session";
const SESSION_MS = 30 * 86_400_000;
const LINK_MS = 60 * 60_000;

/** A link token for the owner of the installation; it works once, within an hour. */
export async function createSignInToken(db: Db, now: Date): Promise<{ token: string; expiresAt: Date }> {
  const [owner] = await db
    .select()
    .from(appUser)
    .where(eq(appUser.isOwner, true))
    .orderBy(appUser.id)
    .limit(1);
  if (owner === undefined) throw new Error("the installation has no owner");
  const token = randomSecret();
  const expiresAt = new Date(now.getTime() + LINK_MS);
  await db.delete(signInLink).where(lte(signInLink.expiresAt, now));
  await db
    .insert(signInLink)
    .values({ hash: hashSecret(token), userId: owner.id, createdAt: now, expiresAt });
  return { token, expiresAt };
}

/** Uses a link up and opens a session: the cookie's value, or `null` for a link that is unknown, used or too old. */
export async function redeemSignInToken(
  db: Db,
  token: string,
  now: Date,
): Promise<{ cookie: string; expiresAt: Date } | null> {
  const [link] = await db
    .delete(signInLink)
    .where(and(eq(signInLink.hash, hashSecret(token)), gt(signInLink.expiresAt, now)))
    .returning();
  if (link === undefined) return null;
  const cookie = randomSecret();
  const expiresAt = new Date(now.getTime() + SESSION_MS);
  await db.delete(session).where(lte(session.expiresAt, now));
  await db
    .insert(session)
    .values({ hash: hashSecret(cookie), userId: link.userId, createdAt: now, expiresAt });
  return { cookie, expiresAt };
}

export interface LiveSession {
  readonly userId: number;
  readonly role: Role;
  readonly hash: Buffer;
}

export async function findLiveSession(db: Db, cookie: string, now: Date): Promise<LiveSession | null> {
  const hash = hashSecret(cookie);
  const [row] = await db
    .select({ userId: session.userId, isOwner: appUser.isOwner })
    .from(session)
    .innerJoin(appUser, eq(appUser.id, session.userId))
    .where(and(eq(session.hash, hash), gt(session.expiresAt, now)));
  return row === undefined ? null : { userId: row.userId, role: row.isOwner ? "owner" : "viewer", hash };
}

export async function endSession(db: Db, hash: Buffer): Promise<void> {
  await db.delete(session).where(eq(session.hash, hash));
}
