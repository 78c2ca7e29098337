import { and, desc, eq, gt, isNull, lte, ne, sql } from "drizzle-orm";
import type { Db, DbLike } from "../../db/drizzle.ts";
import { appUser, session, signInLink } from "../../db/schema/index.ts";
import { noteChange, type Occasion, toPerson } from "../audit/note-change.ts";
import type { SessionRecord } from "../contract/people.ts";
import type { SessionPrincipal } from "./principal.ts";
import { hashSecret, randomSecret } from "./secret.ts";

export const SESSION_COOKIE = "busyhour_session";
const SESSION_MS = 30 * 86_400_000;
const LINK_MS = 60 * 60_000;

export interface SignInToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface OpenedSession {
  /** The cookie's value. */
  readonly cookie: string;
  readonly expiresAt: Date;
}

/** How a session came about, and on what. */
export interface SessionKind {
  readonly via: SessionRecord["via"];
  readonly device: string;
}

interface Somebody {
  readonly id: number;
  readonly name: string;
}

/**
 * A link token for a person, by default the first owner of the installation; it works once, within an hour.
 *
 * @returns `null` when there is no such person, or they are shut out
 */
export async function createSignInToken(
  db: Db,
  occasion: Occasion,
  userId: number | null = null,
): Promise<SignInToken | null> {
  return db.transaction(async (tx) => {
    const wanted = userId === null ? eq(appUser.isOwner, true) : eq(appUser.id, userId);
    const [person] = await tx
      .select()
      .from(appUser)
      .where(and(wanted, isNull(appUser.disabledAt)))
      .orderBy(appUser.id)
      .limit(1);
    if (person === undefined) return null;
    const token = randomSecret();
    const expiresAt = new Date(occasion.at.getTime() + LINK_MS);
    await tx.delete(signInLink).where(lte(signInLink.expiresAt, occasion.at));
    await tx
      .insert(signInLink)
      .values({ hash: hashSecret(token), userId: person.id, createdAt: occasion.at, expiresAt });
    await noteChange(tx, occasion, {
      action: "link.created",
      project: null,
      subject: person,
      after: { expiresAt: expiresAt.toISOString() },
    });
    return { token, expiresAt };
  });
}

/** Uses a link up and opens a session, or `null` for a link that is unknown, used or too old. */
export async function redeemSignInToken(
  db: Db,
  token: string,
  device: string,
  occasion: Omit<Occasion, "actor">,
): Promise<OpenedSession | null> {
  return db.transaction(async (tx) => {
    const [link] = await tx
      .delete(signInLink)
      .where(and(eq(signInLink.hash, hashSecret(token)), gt(signInLink.expiresAt, occasion.at)))
      .returning();
    if (link === undefined) return null;
    const [person] = await tx
      .select()
      .from(appUser)
      .where(and(eq(appUser.id, link.userId), isNull(appUser.disabledAt)));
    return person === undefined ? null : openSession(tx, person, { via: "link", device }, occasion);
  });
}

/** Opens a session for a person who has shown who they are. */
export async function openSession(
  tx: DbLike,
  person: Somebody,
  { via, device }: SessionKind,
  occasion: Omit<Occasion, "actor">,
): Promise<OpenedSession> {
  const cookie = randomSecret();
  const expiresAt = new Date(occasion.at.getTime() + SESSION_MS);
  await tx.delete(session).where(lte(session.expiresAt, occasion.at));
  const [row] = await tx
    .insert(session)
    .values({
      hash: hashSecret(cookie),
      userId: person.id,
      via,
      device,
      createdAt: occasion.at,
      lastSeenAt: occasion.at,
      expiresAt,
    })
    .returning({ id: session.id });
  await noteChange(
    tx,
    { ...occasion, actor: toPerson(person) },
    {
      action: "session.opened",
      project: null,
      subject: { id: row?.id ?? 0, name: person.name },
      after: { via, device },
    },
  );
  return { cookie, expiresAt };
}

/** Whoever the cookie belongs to, unless the session is over or its person is shut out. */
export async function findLiveSession(db: Db, cookie: string, now: Date): Promise<SessionPrincipal | null> {
  const sessionHash = hashSecret(cookie);
  const [row] = await db
    .select({
      sessionId: session.id,
      userId: session.userId,
      userName: appUser.name,
      isOwner: appUser.isOwner,
    })
    .from(session)
    .innerJoin(appUser, eq(appUser.id, session.userId))
    .where(and(eq(session.hash, sessionHash), gt(session.expiresAt, now), isNull(appUser.disabledAt)));
  return row === undefined ? null : { via: "session", ...row, sessionHash };
}

export async function noteSessionUse(db: Db, hash: Buffer, now: Date): Promise<void> {
  await db.update(session).set({ lastSeenAt: now }).where(eq(session.hash, hash));
}

/** Open sessions, latest seen first; of one person, or of everybody. */
export async function listSessions(
  db: Db,
  { userId, ownId, now }: { userId: number | null; ownId: number | null; now: Date },
): Promise<SessionRecord[]> {
  const rows = await db
    .select({ session, user: { id: appUser.id, name: appUser.name } })
    .from(session)
    .innerJoin(appUser, eq(appUser.id, session.userId))
    .where(and(gt(session.expiresAt, now), ...(userId === null ? [] : [eq(session.userId, userId)])))
    .orderBy(sql`${session.lastSeenAt} desc nulls last`, desc(session.id));
  return rows.map(({ session: row, user }) => ({
    id: row.id,
    via: row.via,
    device: row.device,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    isThis: row.id === ownId,
    user,
  }));
}

/**
 * Ends a session.
 *
 * @param userId whose it must be; `null`: anybody's
 * @returns false when there is none of that number
 */
export async function endSession(
  db: Db,
  { id, userId }: { id: number; userId: number | null },
  occasion: Occasion,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .delete(session)
      .where(and(eq(session.id, id), ...(userId === null ? [] : [eq(session.userId, userId)])))
      .returning();
    if (row === undefined) return false;
    const [person] = await tx.select().from(appUser).where(eq(appUser.id, row.userId));
    await noteChange(tx, occasion, {
      action: "session.ended",
      project: null,
      subject: { id, name: person?.name ?? "" },
      before: { via: row.via, device: row.device },
    });
    return true;
  });
}

/** Ends the sessions of a person, but the one that is kept, and the links that would open one. */
export async function endSessionsOf(tx: DbLike, userId: number, keptId: number | null): Promise<void> {
  await tx
    .delete(session)
    .where(and(eq(session.userId, userId), ...(keptId === null ? [] : [ne(session.id, keptId)])));
  await tx.delete(signInLink).where(eq(signInLink.userId, userId));
}
