import type { Socket } from "node:net";
import type { ConnectionOptions as TlsOptions } from "node:tls";

/** Where a database is and how to get in: these are options of postgres.js, which takes no socket path in a URL. */
export interface ConnectionTarget {
  /** A host, or the folder of a socket. */
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
  /** `require` encrypts but trusts any certificate, `prefer` also does without; an object checks it. */
  ssl?: "require" | "prefer" | TlsOptions;
  /** Connects by itself, where postgres.js can't: it takes the colons of an IPv6 address for a port. */
  socket?: () => Promise<Socket>;
}

/** `180004` → `18.4`; before version 10 the middle two digits counted: `90624` → `9.6` */
export function formatServerVersion(serverVersion: number): string {
  const major = Math.floor(serverVersion / 10_000);
  return major < 10
    ? `${major}.${Math.floor(serverVersion / 100) % 100}`
    : `${major}.${serverVersion % 10_000}`;
}
