import type { Request } from "express";
import { AppError } from "./app-error.ts";

/**
 * A browser sends the cookie along from other sites' pages too; what changes something must come from ours.
 *
 * @param publicUrl where people reach the server, when it was said
 * @throws AppError 403
 */
export function assertSameSite(req: Request, publicUrl: string | undefined): void {
  const site = req.headers["sec-fetch-site"];
  const isOurs = site === "same-origin" || (site === undefined && isOwnOrigin(req, publicUrl));
  if (isOurs) return;
  throw new AppError({
    status: 403,
    code: "cross_site",
    title: "Not allowed from another site",
    detail: "With a session cookie, changes are taken from this site's own pages only. Scripts use a key.",
  });
}

/** The same where no cookie is needed, as when one signs in: programs, which send neither header, may call too. */
export function assertNoOtherSite(req: Request, publicUrl: string | undefined): void {
  if (req.headers["sec-fetch-site"] === undefined && req.headers.origin === undefined) return;
  assertSameSite(req, publicUrl);
}

/** Of older browsers, which send no `Sec-Fetch-Site`. */
function isOwnOrigin(req: Request, publicUrl: string | undefined): boolean {
  const { origin, host } = req.headers;
  if (origin === undefined) return false;
  return origin === publicUrl || origin === `${req.protocol}://${host}`;
}
