import { isNotNull } from "drizzle-orm";
import type { Logger } from "pino";
import type { Db } from "../../db/drizzle.ts";
import { appUser } from "../../db/schema/index.ts";
import type { Authenticator } from "../access/authenticate.ts";
import type { BoundRoute } from "../http/route.ts";
import { createAttemptLimit } from "./attempt-limit.ts";
import { joinRoutes } from "./join-routes.ts";
import type { OidcClient, OidcSettings } from "./oidc.ts";
import { createOidcClient } from "./oidc.ts";
import { oidcRoutes } from "./oidc-routes.ts";
import { createPasswordHasher } from "./password-hash.ts";
import { passwordRoutes } from "./password-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { createSignInLimit } from "./sign-in-limit.ts";

export interface SignInDeps {
  readonly db: Db;
  readonly identify: Authenticator["identify"];
  /** `null`: there is no provider of identities. */
  readonly oidc: OidcSettings | null;
  /** Where people reach the server when that was set, without a slash at the end. */
  readonly publicUrl: string | null;
  readonly now: () => number;
  readonly log: Logger;
}

/** Ways in, and out. */
export function signInRoutes(deps: SignInDeps): BoundRoute[] {
  const { db, now } = deps;
  const oidc: OidcClient | null = deps.oidc === null ? null : createOidcClient(deps.oidc);
  const passwords = createPasswordHasher();
  const limit = createSignInLimit({
    byMail: createAttemptLimit({ most: 10, withinMs: 15 * 60_000 }, now),
    byPlace: createAttemptLimit({ most: 50, withinMs: 15 * 60_000 }, now),
  });
  return [
    ...sessionRoutes({ db, oidcName: deps.oidc?.name ?? null, hasPasswords: () => hasPasswords(db) }),
    ...passwordRoutes({ db, passwords, limit }),
    ...joinRoutes({ db, passwords, identify: deps.identify }),
    ...oidcRoutes({ ...deps, oidc }),
  ];
}

async function hasPasswords(db: Db): Promise<boolean> {
  const rows = await db
    .select({ id: appUser.id })
    .from(appUser)
    .where(isNotNull(appUser.passwordHash))
    .limit(1);
  return rows.length > 0;
}
