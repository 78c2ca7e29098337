import type { Db } from "../../db/drizzle.ts";
import * as contract from "../contract/access-routes.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { findUser } from "../people/users.ts";
import { toProjectRecord } from "../projects/projects.ts";

export function accessRoutes({ db }: { db: Db }): BoundRoute[] {
  return [
    bindRoute(contract.getMe, async ({ principal, project, role }) => {
      const user = principal.via === "session" ? await findUser(db, principal.userId) : null;
      return {
        via: principal.via,
        keyKind: principal.via === "key" ? principal.keyKind : null,
        role,
        person: user && {
          id: user.id,
          name: user.name,
          email: user.email,
          hasPassword: user.passwordHash !== null,
        },
        project: toProjectRecord(project),
      };
    }),
  ];
}
