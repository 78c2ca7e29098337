import type { Db } from "../../db/drizzle.ts";
import { clearSessionCookie, setSessionCookie } from "../access/cookie.ts";
import { endSession, redeemSignInToken } from "../access/sessions.ts";
import * as contract from "../contract/people-routes.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { describeDevice } from "./device.ts";

export interface SessionDeps {
  readonly db: Db;
  readonly oidcName: string | null;
  readonly hasPasswords: () => Promise<boolean>;
}

/** Signing in by a link, and out. */
export function sessionRoutes({ db, oidcName, hasPasswords }: SessionDeps): BoundRoute[] {
  return [
    bindRoute(contract.getSignInWays, async () => ({ password: await hasPasswords(), oidc: oidcName })),
    bindRoute(contract.getSignIn, async ({ query, res, req, occasion }) => {
      const device = describeDevice(req.headers["user-agent"]);
      const opened =
        query.token === undefined ? null : await redeemSignInToken(db, query.token, device, occasion);
      if (opened !== null) setSessionCookie(req, res, opened);
      res.redirect(302, opened === null ? "/?signIn=failed" : "/");
      return undefined;
    }),
    bindRoute(contract.postSignOut, async ({ principal, req, res, occasion }) => {
      if (principal.via === "session") {
        await endSession(db, { id: principal.sessionId, userId: principal.userId }, occasion);
      }
      clearSessionCookie(req, res);
      return undefined;
    }),
  ];
}
