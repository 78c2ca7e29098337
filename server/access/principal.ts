import type { Access, KeyKind, MemberRole, Role, Scope } from "../contract/route.ts";
import { KIND_SCOPES, ROLES } from "../contract/route.ts";
import type { ProjectRow } from "../projects/projects.ts";

export interface KeyPrincipal {
  readonly via: "key";
  readonly keyId: number;
  readonly keyKind: KeyKind;
  readonly keyName: string;
  /** What of its kind it may do; `null`: all. */
  readonly scopes: readonly Scope[] | null;
  readonly eventsPerMinute: number | null;
  readonly project: ProjectRow;
}

export interface SessionPrincipal {
  readonly via: "session";
  readonly userId: number;
  readonly userName: string;
  readonly isOwner: boolean;
  readonly sessionId: number;
  readonly sessionHash: Buffer;
}

/** Who is asking. */
export type Principal =
  | KeyPrincipal
  | SessionPrincipal
  /** `BUSYHOUR_ADMIN_TOKEN`, or the token that local commands share with the server. */
  | { readonly via: "token" };

/** What a key holds: what its kind allows, or the part of it that it was narrowed to. */
export function scopesOf({ keyKind, scopes }: Pick<KeyPrincipal, "keyKind" | "scopes">): readonly Scope[] {
  return KIND_SCOPES[keyKind].filter((scope) => scopes === null || scopes.includes(scope));
}

/** What a person may do where they have this membership; `null`: nothing at all. */
export function roleOf(
  { isOwner }: Pick<SessionPrincipal, "isOwner">,
  member: MemberRole | null,
): Role | null {
  return isOwner ? "owner" : member;
}

export const isAtLeast = (role: Role, wanted: Role) => ROLES.indexOf(role) >= ROLES.indexOf(wanted);

/**
 * Whether the caller may use a route.
 *
 * @param principal `null` is a stranger
 * @param role of a signed-in person in the project, for routes of a project; `null` when they have no part in it
 */
export function mayCall(access: Access, principal: Principal | null, role: Role | null): boolean {
  if (access === "public") return true;
  switch (principal?.via) {
    case "token":
      return true;
    case "key":
      return (
        access.keys.includes(principal.keyKind) &&
        (access.scope === null || scopesOf(principal).includes(access.scope))
      );
    case "session":
      return maySignedIn(access, principal, role);
    default:
      return false;
  }
}

function maySignedIn(
  access: Exclude<Access, "public">,
  { isOwner }: SessionPrincipal,
  role: Role | null,
): boolean {
  if (access.role === null) return false;
  switch (access.of) {
    case "person":
      return true;
    case "installation":
      return isOwner;
    case "project":
      return role !== null && isAtLeast(role, access.role);
  }
}
