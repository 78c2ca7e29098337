import { and, asc, eq } from "drizzle-orm";
import type { Db, DbLike } from "../../db/drizzle.ts";
import { appUser, project, projectMember } from "../../db/schema/index.ts";
import { noteChange, type Occasion } from "../audit/note-change.ts";
import type { Member } from "../contract/people.ts";
import type { MemberRole } from "../contract/route.ts";
import { AppError } from "../http/app-error.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { findUser, noSuchUser, type UserRow } from "./users.ts";

export async function listMembers(db: Db, projectId: number): Promise<Member[]> {
  const rows = await db
    .select({ user: appUser, role: projectMember.role, since: projectMember.createdAt })
    .from(projectMember)
    .innerJoin(appUser, eq(appUser.id, projectMember.userId))
    .where(eq(projectMember.projectId, projectId))
    .orderBy(asc(projectMember.createdAt), asc(appUser.id));
  return rows.map(({ user, role, since }) => toMember(user, role, since));
}

/** What a person may do, by project id. */
export async function listRoles(db: Db, userId: number): Promise<ReadonlyMap<number, MemberRole>> {
  const rows = await db.select().from(projectMember).where(eq(projectMember.userId, userId));
  return new Map(rows.map(({ projectId, role }) => [projectId, role]));
}

/**
 * The project of this slug, if the person has a part in it; without a slug the first one that they have a part in,
 * the default one before others.
 */
export async function findProjectOf(
  db: DbLike,
  userId: number,
  slug: string | null,
): Promise<{ project: ProjectRow; role: MemberRole } | null> {
  const [row] = await db
    .select({ project, role: projectMember.role })
    .from(projectMember)
    .innerJoin(project, eq(project.id, projectMember.projectId))
    .where(and(eq(projectMember.userId, userId), slug === null ? undefined : eq(project.slug, slug)))
    .orderBy(project.id)
    .limit(1);
  return row ?? null;
}

/**
 * Gives a person a role in a project.
 *
 * @param mayAdd whether they may be somebody who has no part in it yet
 * @throws AppError 404 when there is no such member, or no such person
 */
export async function setMember(
  db: Db,
  owner: ProjectRow,
  { userId, role, mayAdd }: { userId: number; role: MemberRole; mayAdd: boolean },
  occasion: Occasion,
): Promise<Member> {
  return db.transaction(async (tx) => {
    const old = await findRole(tx, owner.id, userId);
    if (old === null && !mayAdd) throw noSuchMember();
    const user = await findUser(tx, userId);
    if (user === null) throw noSuchUser();
    return putMember(tx, owner, { user, role }, occasion);
  });
}

/** Gives the role, whatever it was before. */
export async function putMember(
  tx: DbLike,
  owner: ProjectRow,
  { user, role }: { user: UserRow; role: MemberRole },
  occasion: Occasion,
): Promise<Member> {
  const old = await findRole(tx, owner.id, user.id);
  const [row] = await tx
    .insert(projectMember)
    .values({ projectId: owner.id, userId: user.id, role, createdAt: occasion.at })
    .onConflictDoUpdate({ target: [projectMember.projectId, projectMember.userId], set: { role } })
    .returning();
  if (old !== role) {
    await noteChange(tx, occasion, {
      action: "member.set",
      project: owner,
      subject: user,
      before: old === null ? null : { role: old },
      after: { role },
    });
  }
  return toMember(user, role, row?.createdAt ?? occasion.at);
}

/** @throws AppError 404 */
export async function removeMember(
  db: Db,
  owner: ProjectRow,
  userId: number,
  occasion: Occasion,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .delete(projectMember)
      .where(and(eq(projectMember.projectId, owner.id), eq(projectMember.userId, userId)))
      .returning();
    if (row === undefined) throw noSuchMember();
    const user = await findUser(tx, userId);
    await noteChange(tx, occasion, {
      action: "member.removed",
      project: owner,
      subject: { id: userId, name: user?.name ?? "" },
      before: { role: row.role },
    });
  });
}

async function findRole(tx: DbLike, projectId: number, userId: number): Promise<MemberRole | null> {
  const [row] = await tx
    .select({ role: projectMember.role })
    .from(projectMember)
    .where(and(eq(projectMember.projectId, projectId), eq(projectMember.userId, userId)));
  return row?.role ?? null;
}

function toMember({ id, name, email, disabledAt }: UserRow, role: MemberRole, since: Date): Member {
  return { id, name, email, role, since: since.toISOString(), isDisabled: disabledAt !== null };
}

function noSuchMember(): AppError {
  return new AppError({ status: 404, code: "no_such_member", title: "The project has no such member" });
}
