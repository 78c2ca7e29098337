import os from "node:os";
import type { ConnectionTarget } from "../connection-target.ts";
import { DatabaseError } from "../database-error.ts";
import { connectByIpv6 } from "./ipv6-socket.ts";
import { chooseTls } from "./tls.ts";

export interface ParsedDatabaseUrl {
  target: ConnectionTarget;
  /** The URL without its password and parameters, for people. */
  label: string;
  /** Names of parameters that mean nothing to us. */
  ignored: string[];
}

/** Not `new URL`: that refuses an empty host after `@`, and passwords with `/`-free special characters. */
const SHAPE =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^/?#]*))?@)?(?<host>\[[^\]]*\]|[^:/?#@]*)(?::(?<port>\d*))?(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/i;

/**
 * Takes a `postgres://` or `postgresql://` URL apart as psql does, parameters like `?host=/folder` included.
 *
 * @throws DatabaseError `url_invalid`, never with the URL itself: one can't tell where its password is
 */
export function parseDatabaseUrl(url: string): ParsedDatabaseUrl {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url.trim())?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "postgres" && scheme !== "postgresql") {
    throw invalid(`it begins with ${scheme}://`);
  }
  const parts = SHAPE.exec(url.trim())?.groups;
  if (parts === undefined) throw invalid("it does not have the form of one");
  const query = new URLSearchParams(parts["query"] ?? "");
  const take = (name: string, part?: string) => {
    const value = query.get(name) ?? decode(part);
    query.delete(name);
    return value === "" ? undefined : value;
  };
  const host = (take("host", parts["host"]) ?? "localhost").replace(/^\[(.*)\]$/, "$1");
  if (host.includes(",")) throw invalid("it names several hosts, and Busyhour takes one");
  const port = parsePort(take("port", parts["port"]) ?? "5432");
  const user = take("user", parts["user"]) ?? nameOfMe();
  const password = take("password", parts["password"]);
  const database = take("dbname", parts["database"]) ?? user;
  const ssl = chooseTls({ host, mode: take("sslmode"), rootCertificate: take("sslrootcert") });
  const target: ConnectionTarget = { host, port, user, database };
  if (password !== undefined) target.password = password;
  if (ssl !== undefined) target.ssl = ssl;
  if (host.includes(":") && !host.startsWith("/")) target.socket = () => connectByIpv6(host, port);
  return { target, label: formatTarget(target), ignored: [...new Set(query.keys())] };
}

function formatTarget({ host, port, user, database }: ConnectionTarget): string {
  if (host.startsWith("/")) return `postgres://${user}@/${database}?host=${host}&port=${port}`;
  return `postgres://${user}@${host.includes(":") ? `[${host}]` : host}:${port}/${database}`;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw invalid("its port is not a number from 1 to 65535");
}

function decode(part: string | undefined): string | undefined {
  if (part === undefined) return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid("a % in it begins no percent-encoded character");
  }
}

function nameOfMe(): string {
  try {
    return os.userInfo().username;
  } catch {
    throw invalid("it names no user, and this process runs as a user without a name");
  }
}

function invalid(reason: string): DatabaseError {
  return new DatabaseError("url_invalid", {
    what: `DATABASE_URL is not the URL of a PostgreSQL database: ${reason}.`,
    mend: "Write postgres://user:password@host:5432/database, with special characters percent-encoded (@ is %40, % is %25).",
  });
}
