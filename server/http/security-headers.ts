import type { RequestHandler } from "express";
import helmet from "helmet";

/** Two years, as lists of sites that are reached by TLS alone ask for. */
const HSTS_SECONDS = 63_072_000;

/** What a page of ours has no use for, whoever's script should get into it. */
const PERMISSIONS = ["camera", "display-capture", "geolocation", "microphone", "payment", "usb"]
  .map((feature) => `${feature}=()`)
  .join(", ");

/**
 * Headers by which browsers run our own files and nothing else: no inline script or style, no frame around us, no
 * form to elsewhere.
 *
 * @param isEncrypted people reach the server by TLS alone, so browsers may be told to insist on it
 */
export function securityHeaders({ isEncrypted }: { readonly isEncrypted: boolean }): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          connectSrc: ["'self'"],
          fontSrc: ["'self'"],
          imgSrc: ["'self'", "data:"],
          manifestSrc: ["'self'"],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
          formAction: ["'self'"],
        },
      },
      frameguard: { action: "deny" },
      // Plain HTTP on a laptop is a supported way to run.
      strictTransportSecurity: isEncrypted ? { maxAge: HSTS_SECONDS, includeSubDomains: false } : false,
      referrerPolicy: { policy: "no-referrer" },
    }),
    (_req, res, next) => {
      res.set("Permissions-Policy", PERMISSIONS);
      next();
    },
  ];
}
