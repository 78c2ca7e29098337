import { and, asc, eq, gt, lte } from "drizzle-orm";
import type { Db, DbLike } from "../../db/drizzle.ts";
import { invitation, project } from "../../db/schema/index.ts";
import { hashSecret, randomSecret } from "../access/secret.ts";
import { noteChange, type Occasion } from "../audit/note-change.ts";
import type { Invitation } from "../contract/people.ts";
import type { MemberRole } from "../contract/route.ts";
import { AppError } from "../http/app-error.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { putMember } from "./members.ts";
import type { UserRow } from "./users.ts";

type InvitationRow = typeof invitation.$inferSelect;

export interface NewInvitation {
  readonly role: MemberRole;
  readonly note: string;
  readonly expiresAt: Date;
}

/** @returns the invitation with the token of its link, which is kept as a hash */
export async function createInvitation(
  db: Db,
  owner: ProjectRow,
  given: NewInvitation,
  occasion: Occasion,
): Promise<Invitation & { token: string }> {
  const token = randomSecret();
  return db.transaction(async (tx) => {
    await tx.delete(invitation).where(lte(invitation.expiresAt, occasion.at));
    const [row] = await tx
      .insert(invitation)
      .values({ ...given, projectId: owner.id, hash: hashSecret(token), createdAt: occasion.at })
      .returning();
    if (row === undefined) throw new Error("the new invitation was not returned");
    await noteChange(tx, occasion, {
      action: "invitation.created",
      project: owner,
      subject: toSubject(row),
      after: { role: row.role, note: row.note, expiresAt: row.expiresAt.toISOString() },
    });
    return { ...toInvitation(row), token };
  });
}

export async function listInvitations(db: Db, projectId: number, now: Date): Promise<Invitation[]> {
  const rows = await db
    .select()
    .from(invitation)
    .where(and(eq(invitation.projectId, projectId), gt(invitation.expiresAt, now)))
    .orderBy(asc(invitation.id));
  return rows.map(toInvitation);
}

/** @throws AppError 404 */
export async function withdrawInvitation(
  db: Db,
  owner: ProjectRow,
  id: number,
  occasion: Occasion,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .delete(invitation)
      .where(and(eq(invitation.projectId, owner.id), eq(invitation.id, id)))
      .returning();
    if (row === undefined) throw noSuchInvitation();
    await noteChange(tx, occasion, {
      action: "invitation.withdrawn",
      project: owner,
      subject: toSubject(row),
      before: { role: row.role, note: row.note },
    });
  });
}

export interface FoundInvitation {
  readonly invitation: InvitationRow;
  readonly project: ProjectRow;
}

/** @throws AppError 404 for one that is unknown, used, withdrawn or too old: which of these is not told */
export async function getInvitation(db: DbLike, token: string, now: Date): Promise<FoundInvitation> {
  const [row] = await db
    .select({ invitation, project })
    .from(invitation)
    .innerJoin(project, eq(project.id, invitation.projectId))
    .where(and(eq(invitation.hash, hashSecret(token)), gt(invitation.expiresAt, now)));
  if (row === undefined) throw noSuchInvitation();
  return row;
}

/**
 * Uses the invitation up and makes the person a member. Who is one already keeps the higher role.
 *
 * @throws AppError 404 when somebody else has used it in the meantime
 */
export async function redeemInvitation(
  tx: DbLike,
  { invitation: row, project: owner }: FoundInvitation,
  { user, role }: { user: UserRow; role: MemberRole },
  occasion: Occasion,
): Promise<void> {
  const used = await tx
    .delete(invitation)
    .where(and(eq(invitation.projectId, row.projectId), eq(invitation.id, row.id)))
    .returning({ id: invitation.id });
  if (used.length === 0) throw noSuchInvitation();
  await noteChange(tx, occasion, {
    action: "invitation.accepted",
    project: owner,
    subject: toSubject(row),
    before: { role: row.role, note: row.note },
  });
  await putMember(tx, owner, { user, role }, occasion);
}

const toSubject = ({ id, note, role }: InvitationRow) => ({ id, name: note === "" ? role : note });

function toInvitation({ id, role, note, createdAt, expiresAt }: InvitationRow): Invitation {
  return { id, role, note, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}

export function noSuchInvitation(): AppError {
  return new AppError({
    status: 404,
    code: "no_such_invitation",
    title: "This invitation does not work",
    detail: "It was used, withdrawn, or it is too old. Ask for another one.",
  });
}
