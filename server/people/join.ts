import type { DbLike } from "../../db/drizzle.ts";
import type { Occasion } from "../audit/note-change.ts";
import { MEMBER_ROLES, type MemberRole } from "../contract/route.ts";
import type { FoundInvitation } from "./invitations.ts";
import { redeemInvitation } from "./invitations.ts";
import { findProjectOf } from "./members.ts";
import type { UserRow } from "./users.ts";

/** Takes a person into the project of an invitation, which is used up. Nobody loses a role by it. */
export async function joinProject(
  tx: DbLike,
  found: FoundInvitation,
  user: UserRow,
  occasion: Occasion,
): Promise<void> {
  const part = await findProjectOf(tx, user.id, found.project.slug);
  const role = higher(part?.role ?? null, found.invitation.role);
  await redeemInvitation(tx, found, { user, role }, occasion);
}

function higher(one: MemberRole | null, other: MemberRole): MemberRole {
  return one !== null && MEMBER_ROLES.indexOf(one) > MEMBER_ROLES.indexOf(other) ? one : other;
}
