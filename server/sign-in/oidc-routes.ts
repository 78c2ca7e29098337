import type { Request } from "express";
import type { Logger } from "pino";
import { z } from "zod";
import type { Db } from "../../db/drizzle.ts";
import { readCookie } from "../access/authenticate.ts";
import { cookieOptions, setSessionCookie } from "../access/cookie.ts";
import * as contract from "../contract/people-routes.ts";
import { AppError } from "../http/app-error.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { admitIdentity } from "./admit-identity.ts";
import { describeDevice } from "./device.ts";
import type { OidcClient } from "./oidc.ts";

export interface OidcDeps {
  readonly db: Db;
  readonly oidc: OidcClient | null;
  readonly publicUrl: string | null;
  readonly log: Logger;
}

const PATH = "/sign-in/oidc";
const COOKIE = "busyhour_trip";
const TRIP_MS = 10 * 60_000;

/** What the browser keeps while it is at the provider. */
const tripSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  invitation: z.string().nullable(),
  beganMs: z.number(),
});

/** Signing in by OpenID Connect. What goes wrong leads back to the first page, which says it in words. */
export function oidcRoutes({ db, oidc, publicUrl, log }: OidcDeps): BoundRoute[] {
  /** The address that the browser knows us by: the one that was set, else the one that it asked. */
  const toUrl = (req: Request, path: string) =>
    `${publicUrl ?? `${req.protocol}://${req.headers.host ?? "localhost"}`}${path}`;
  return [
    bindRoute(contract.getSignInOidc, async ({ query, req, res, nowMs }) => {
      if (oidc === null) throw noProvider();
      try {
        const { url, trip } = await oidc.begin(toUrl(req, `${PATH}/return`));
        const kept = JSON.stringify({ ...trip, invitation: query.invitation ?? null, beganMs: nowMs });
        res.cookie(COOKIE, Buffer.from(kept).toString("base64url"), { ...cookieOptions(req), path: PATH });
        res.redirect(302, url);
      } catch (error) {
        log.warn({ reason: describe(error) }, "the provider of identities does not answer");
        res.redirect(302, "/?signIn=away");
      }
      return undefined;
    }),
    bindRoute(contract.getSignInOidcReturn, async ({ req, res, nowMs, occasion }) => {
      if (oidc === null) throw noProvider();
      const trip = readTrip(req);
      res.clearCookie(COOKIE, { ...cookieOptions(req), path: PATH });
      if (trip === null || nowMs - trip.beganMs > TRIP_MS) {
        res.redirect(302, "/?signIn=broken");
        return undefined;
      }
      try {
        const identity = await oidc.finish(new URL(toUrl(req, req.originalUrl)), trip);
        const device = describeDevice(req.headers["user-agent"]);
        const { invitation } = trip;
        const opened = await admitIdentity(db, { identity, invitation, device }, occasion);
        if (opened !== null) setSessionCookie(req, res, opened);
        res.redirect(302, opened === null ? "/?signIn=unknown" : "/");
      } catch (error) {
        // Our own planned failure here is an invitation that was used in the meantime.
        const isOurs = error instanceof AppError;
        if (!isOurs) log.warn({ reason: describe(error) }, "signing in by the provider of identities failed");
        res.redirect(302, isOurs ? "/?signIn=unknown" : "/?signIn=broken");
      }
      return undefined;
    }),
  ];
}

function readTrip(req: Request): z.infer<typeof tripSchema> | null {
  const kept = readCookie(req.headers.cookie, COOKIE);
  if (kept === null) return null;
  try {
    return tripSchema.parse(JSON.parse(Buffer.from(kept, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

/** Name and code, never what the provider sent. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  return `${error.name}${code}`;
}

function noProvider(): AppError {
  return new AppError({
    status: 404,
    code: "no_identity_provider",
    title: "There is no provider of identities here",
    detail: "An operator names one with BUSYHOUR_OIDC_ISSUER.",
  });
}
