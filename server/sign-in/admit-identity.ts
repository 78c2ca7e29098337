import { and, eq, isNull } from "drizzle-orm";
import type { Db, DbLike } from "../../db/drizzle.ts";
import { appUser } from "../../db/schema/index.ts";
import { type OpenedSession, openSession } from "../access/sessions.ts";
import { noteChange, type Occasion, SERVER, toPerson } from "../audit/note-change.ts";
import { getInvitation } from "../people/invitations.ts";
import { joinProject } from "../people/join.ts";
import { insertUser, type UserRow } from "../people/users.ts";
import type { Identity } from "./oidc.ts";

export interface Admission {
  readonly identity: Identity;
  /** Token of an invitation to be accepted with it. */
  readonly invitation: string | null;
  readonly device: string;
}

/**
 * Signs in whoever the provider of identities vouches for: the person who came by it before; else the one who was
 * given this verified e-mail and came by no provider yet; else, with an invitation, a new one.
 *
 * @returns `null` for a stranger, or somebody who is shut out
 * @throws AppError 404 for an invitation that does not work
 */
export function admitIdentity(
  db: Db,
  { identity, invitation, device }: Admission,
  moment: Omit<Occasion, "actor">,
): Promise<OpenedSession | null> {
  return db.transaction(async (tx) => {
    const occasion = { ...moment, actor: SERVER };
    const found = invitation === null ? null : await getInvitation(tx, invitation, moment.at);
    const known = (await findKnown(tx, identity)) ?? (await adopt(tx, identity, occasion));
    const user = known ?? (found === null ? null : await insertIdentity(tx, identity, occasion));
    if (user === null || user.disabledAt !== null) return null;
    if (found !== null) await joinProject(tx, found, user, { ...moment, actor: toPerson(user) });
    return openSession(tx, user, { via: "oidc", device }, moment);
  });
}

async function findKnown(tx: DbLike, { issuer, subject }: Identity): Promise<UserRow | null> {
  const [row] = await tx
    .select()
    .from(appUser)
    .where(and(eq(appUser.oidcIssuer, issuer), eq(appUser.oidcSubject, subject)));
  return row ?? null;
}

async function adopt(
  tx: DbLike,
  { issuer, subject, email }: Identity,
  occasion: Occasion,
): Promise<UserRow | null> {
  if (email === null) return null;
  const [row] = await tx
    .update(appUser)
    .set({ oidcIssuer: issuer, oidcSubject: subject })
    .where(and(eq(appUser.email, email), isNull(appUser.oidcSubject)))
    .returning();
  if (row === undefined) return null;
  await noteChange(tx, occasion, {
    action: "user.identity",
    project: null,
    subject: row,
    before: { hasIdentity: false },
    after: { hasIdentity: true, issuer },
  });
  return row;
}

async function insertIdentity(
  tx: DbLike,
  { issuer, subject, name, email }: Identity,
  occasion: Occasion,
): Promise<UserRow> {
  const isTaken =
    email !== null && (await tx.select().from(appUser).where(eq(appUser.email, email))).length > 0;
  return insertUser(
    tx,
    {
      name: name ?? email ?? "Without a name",
      email: isTaken ? null : email,
      oidcIssuer: issuer,
      oidcSubject: subject,
    },
    occasion,
  );
}
