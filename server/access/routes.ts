import type { CookieOptions, Request } from "express";
import type { Db } from "../../db/drizzle.ts";
import * as contract from "../contract/routes.ts";
import { AppError } from "../http/app-error.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { toProjectRecord } from "../projects/projects.ts";
import { createKey, listKeys, revokeKey } from "./keys.ts";
import { createSignInToken, endSession, redeemSignInToken, SESSION_COOKIE } from "./sessions.ts";

export interface AccessDeps {
  readonly db: Db;
  /** Called when keys change, so that what is remembered of them is forgotten. */
  readonly onKeysChanged: () => void;
  /** Where people reach the server, without a slash at the end. */
  readonly publicUrl: () => string;
}

export function accessRoutes({ db, onKeysChanged, publicUrl }: AccessDeps): BoundRoute[] {
  const isEncrypted = (req: Request) => req.secure || publicUrl().startsWith("https:");
  return [
    bindRoute(contract.getMe, async ({ principal, project }) => ({
      via: principal.via,
      keyKind: principal.via === "key" ? principal.keyKind : null,
      role: principal.via === "session" ? principal.role : null,
      project: toProjectRecord(project),
    })),
    bindRoute(contract.getKeys, async ({ project }) => ({ keys: await listKeys(db, project.id) })),
    bindRoute(contract.postKeys, async ({ project, body }) => createKey(db, project.id, body)),
    bindRoute(contract.deleteKey, async ({ project, params, nowMs }) => {
      const key = await revokeKey(db, project.id, params.id, new Date(nowMs));
      if (key === null)
        throw new AppError({ status: 404, code: "no_such_key", title: "There is no such key" });
      onKeysChanged();
      return key;
    }),
    bindRoute(contract.postSignInLinks, async ({ nowMs }) => {
      const { token, expiresAt } = await createSignInToken(db, new Date(nowMs));
      return { url: `${publicUrl()}/sign-in?token=${token}`, expiresAt: expiresAt.toISOString() };
    }),
    bindRoute(contract.getSignIn, async ({ query, res, req, nowMs }) => {
      const opened =
        query.token === undefined ? null : await redeemSignInToken(db, query.token, new Date(nowMs));
      if (opened === null) {
        res.redirect(302, "/?signIn=failed");
        return undefined;
      }
      res.cookie(SESSION_COOKIE, opened.cookie, {
        ...cookieOptions(isEncrypted(req)),
        expires: opened.expiresAt,
      });
      res.redirect(302, "/");
      return undefined;
    }),
    bindRoute(contract.postSignOut, async ({ principal, req, res }) => {
      if (principal.via === "session") await endSession(db, principal.sessionHash);
      res.clearCookie(SESSION_COOKIE, cookieOptions(isEncrypted(req)));
      return undefined;
    }),
  ];
}

/** `lax`: a link from elsewhere leads in signed in, while another site's form does not carry the cookie. */
function cookieOptions(isSecure: boolean): CookieOptions {
  return { httpOnly: true, sameSite: "lax", secure: isSecure, path: "/" };
}
