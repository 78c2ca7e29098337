import type { Access, KeyKind, Role } from "../contract/route.ts";
import { ROLES } from "../contract/route.ts";
import type { ProjectRow } from "../projects/projects.ts";

/** Who is asking. */
export type Principal =
  | { readonly via: "key"; readonly keyId: number; readonly keyKind: KeyKind; readonly project: ProjectRow }
  | { readonly via: "session"; readonly userId: number; readonly role: Role; readonly sessionHash: Buffer }
  /** `BUSYHOUR_ADMIN_TOKEN`, or the token that local commands share with the server. */
  | { readonly via: "token" };

/** Whether the caller may use a route; `null` is a stranger. */
export function mayCall(access: Access, principal: Principal | null): boolean {
  if (access === "public") return true;
  if (principal === null) return false;
  switch (principal.via) {
    case "token":
      return true;
    case "key":
      return access.keys.includes(principal.keyKind);
    case "session":
      return access.role !== null && ROLES.indexOf(principal.role) >= ROLES.indexOf(access.role);
  }
}
