import { readFileSync } from "node:fs";
import net from "node:net";
import tls from "node:tls";
import type { ConnectionTarget } from "../connection-target.ts";
import { DatabaseError } from "../database-error.ts";

export interface TlsWish {
  host: string;
  /** `sslmode` of libpq. */
  mode: string | undefined;
  /** `sslrootcert` of libpq: a file, or `system`. */
  rootCertificate: string | undefined;
}

type Tls = ConnectionTarget["ssl"];

/**
 * What `sslmode` means for postgres.js, `undefined` for no encryption. Without one it is `prefer`, as psql does,
 * but not on this machine, where encryption only costs.
 *
 * @throws DatabaseError `url_invalid`, `url_tls` when the certificate's file can't be read
 */
export function chooseTls({ host, mode, rootCertificate }: TlsWish): Tls {
  if (host.startsWith("/")) return undefined;
  const checks = rootCertificate === "system" && mode === undefined ? "verify-full" : mode;
  switch (checks) {
    case undefined:
      return isThisMachine(host) ? undefined : "prefer";
    case "disable":
      return undefined;
    case "allow":
    case "prefer":
      return "prefer";
    case "require":
      return "require";
    case "verify-ca":
      return { ...trustedBy(rootCertificate), ...named(host), checkServerIdentity: () => undefined };
    case "verify-full": {
      const checkServerIdentity: typeof tls.checkServerIdentity = (_name, cert) =>
        tls.checkServerIdentity(host, cert);
      return { ...trustedBy(rootCertificate), ...named(host), checkServerIdentity };
    }
    default:
      throw new DatabaseError("url_invalid", {
        what: `DATABASE_URL has sslmode=${checks}, which is none.`,
        mend: "Use disable, prefer, require, verify-ca or verify-full.",
      });
  }
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** The name that the server picks its certificate by; an address is none. */
function named(host: string): { servername?: string } {
  return net.isIP(host) === 0 ? { servername: host } : {};
}

function trustedBy(rootCertificate: string | undefined): { rejectUnauthorized: true; ca?: string } {
  if (rootCertificate === undefined || rootCertificate === "system") return { rejectUnauthorized: true };
  try {
    return { rejectUnauthorized: true, ca: readFileSync(rootCertificate, "utf8") };
  } catch (cause) {
    throw new DatabaseError("url_tls", {
      what: `The root certificate ${rootCertificate} can't be read.`,
      mend: "Correct sslrootcert in DATABASE_URL.",
      cause,
    });
  }
}
