import type { CookieOptions, Request, Response } from "express";
import { type OpenedSession, SESSION_COOKIE } from "./sessions.ts";

/** The application's setting that says where people reach the server. */
export const PUBLIC_URL = "public url";

export function setSessionCookie(req: Request, res: Response, { cookie, expiresAt }: OpenedSession): void {
  res.cookie(SESSION_COOKIE, cookie, { ...cookieOptions(req), expires: expiresAt });
}

export function clearSessionCookie(req: Request, res: Response): void {
  res.clearCookie(SESSION_COOKIE, cookieOptions(req));
}

/** `lax`: a link from elsewhere leads in signed in, while another site's form does not carry the cookie. */
export function cookieOptions(req: Request): CookieOptions {
  const publicUrl: unknown = req.app.get(PUBLIC_URL);
  const secure = req.secure || (typeof publicUrl === "string" && publicUrl.startsWith("https:"));
  return { httpOnly: true, sameSite: "lax", secure, path: "/" };
}
