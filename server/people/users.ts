import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { Db, DbLike } from "../../db/drizzle.ts";
import { appUser, project, projectMember, session } from "../../db/schema/index.ts";
import { endSessionsOf } from "../access/sessions.ts";
import { diff, noteChange, type Occasion } from "../audit/note-change.ts";
import type { Person } from "../contract/people.ts";
import { AppError } from "../http/app-error.ts";
import { codeOf } from "../ingest/failure.ts";

export type UserRow = typeof appUser.$inferSelect;

export interface UserChange {
  readonly name?: string | undefined;
  readonly email?: string | null | undefined;
  readonly isOwner?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
}

/** Everybody, or one of them. */
export async function listPeople(db: Db, userId: number | null = null): Promise<Person[]> {
  const seen = db
    .select({ userId: session.userId, at: sql<string>`max(${session.lastSeenAt})`.as("at") })
    .from(session)
    .groupBy(session.userId)
    .as("seen");
  const users = await db
    .select({
      user: appUser,
      lastSeenAt: seen.at,
    })
    .from(appUser)
    .leftJoin(seen, eq(seen.userId, appUser.id))
    .where(userId === null ? undefined : eq(appUser.id, userId))
    .orderBy(appUser.id);
  const parts = await db
    .select({ userId: projectMember.userId, slug: project.slug, role: projectMember.role })
    .from(projectMember)
    .innerJoin(project, eq(project.id, projectMember.projectId))
    .where(userId === null ? undefined : eq(projectMember.userId, userId))
    .orderBy(project.id);
  return users.map(({ user, lastSeenAt }) => ({
    id: user.id,
    name: user.name,
    email: user.email,
    isOwner: user.isOwner,
    hasPassword: user.passwordHash !== null,
    hasIdentity: user.oidcSubject !== null,
    createdAt: user.createdAt.toISOString(),
    disabledAt: user.disabledAt?.toISOString() ?? null,
    lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt).toISOString(),
    projects: parts.filter((part) => part.userId === user.id).map(({ slug, role }) => ({ slug, role })),
  }));
}

/** @throws AppError 404 */
export async function getPerson(db: Db, id: number): Promise<Person> {
  const [found] = await listPeople(db, id);
  if (found === undefined) throw noSuchUser();
  return found;
}

export async function findUser(db: DbLike, id: number): Promise<UserRow | null> {
  const [row] = await db.select().from(appUser).where(eq(appUser.id, id));
  return row ?? null;
}

export type NewUser = Pick<UserRow, "name"> &
  Partial<Pick<UserRow, "email" | "isOwner" | "passwordHash" | "oidcIssuer" | "oidcSubject">>;

/** @throws AppError 409 when another has the e-mail */
export async function insertUser(tx: DbLike, given: NewUser, occasion: Occasion): Promise<UserRow> {
  const [row] = await refuseTaken(
    tx
      .insert(appUser)
      .values({ ...given, createdAt: occasion.at })
      .returning(),
  );
  if (row === undefined) throw new Error("the new user was not returned");
  await noteChange(tx, occasion, {
    action: "user.created",
    project: null,
    subject: row,
    after: toAudited(row),
  });
  return row;
}

/**
 * @throws AppError 404; 409 when another has the e-mail, or nobody would be left to own the installation
 */
export async function changeUser(
  db: Db,
  id: number,
  { isDisabled, ...change }: UserChange,
  occasion: Occasion,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [old] = await tx.select().from(appUser).where(eq(appUser.id, id)).for("update");
    if (old === undefined) throw noSuchUser();
    const set = {
      name: change.name ?? old.name,
      email: change.email === undefined ? old.email : change.email,
      isOwner: change.isOwner ?? old.isOwner,
      disabledAt:
        isDisabled === undefined ? old.disabledAt : isDisabled ? (old.disabledAt ?? occasion.at) : null,
    };
    if (old.isOwner && (!set.isOwner || set.disabledAt !== null)) await assertAnotherOwner(tx, id);
    const [row] = await refuseTaken(tx.update(appUser).set(set).where(eq(appUser.id, id)).returning());
    if (set.disabledAt !== null && old.disabledAt === null) await endSessionsOf(tx, id, null);
    const changed = diff(toAudited(old), toAudited(row ?? old));
    if (Object.keys(changed.after).length === 0) return;
    await noteChange(tx, occasion, { action: "user.changed", project: null, subject: old, ...changed });
  });
}

/** @throws AppError 404, 409 when nobody would be left to own the installation */
export async function removeUser(db: Db, id: number, occasion: Occasion): Promise<void> {
  await db.transaction(async (tx) => {
    const [old] = await tx.select().from(appUser).where(eq(appUser.id, id)).for("update");
    if (old === undefined) throw noSuchUser();
    if (old.isOwner) await assertAnotherOwner(tx, id);
    await tx.delete(appUser).where(eq(appUser.id, id));
    await noteChange(tx, occasion, {
      action: "user.removed",
      project: null,
      subject: old,
      before: toAudited(old),
    });
  });
}

/** Sets a password, and ends all sessions but the one that asks. */
export async function setPassword(
  db: Db,
  user: UserRow,
  { passwordHash, keptSessionId }: { passwordHash: string; keptSessionId: number },
  occasion: Occasion,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(appUser).set({ passwordHash }).where(eq(appUser.id, user.id));
    await endSessionsOf(tx, user.id, keptSessionId);
    await noteChange(tx, occasion, {
      action: "user.password",
      project: null,
      subject: user,
      before: { hasPassword: user.passwordHash !== null },
      after: { hasPassword: true },
    });
  });
}

/** Locks the owners, so that two of them cannot shut each other out at the same moment. */
async function assertAnotherOwner(tx: Pick<Db, "select">, id: number): Promise<void> {
  const others = await tx
    .select({ id: appUser.id })
    .from(appUser)
    .where(and(eq(appUser.isOwner, true), isNull(appUser.disabledAt), ne(appUser.id, id)))
    .for("update");
  if (others.length > 0) return;
  throw new AppError({
    status: 409,
    code: "last_owner",
    title: "One owner must stay",
    detail: "Make somebody else an owner first.",
  });
}

const UNIQUE_VIOLATION = "23505";

async function refuseTaken<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
    throw new AppError({ status: 409, code: "email_taken", title: "Somebody here has this e-mail already" });
  }
}

export function noSuchUser(): AppError {
  return new AppError({ status: 404, code: "no_such_user", title: "There is no such person" });
}

function toAudited({ name, email, isOwner, passwordHash, oidcIssuer, disabledAt }: UserRow) {
  return {
    name,
    email,
    isOwner,
    hasPassword: passwordHash !== null,
    hasIdentity: oidcIssuer !== null,
    isDisabled: disabledAt !== null,
  };
}
