import type { IncomingMessage } from "node:http";
import type { Db } from "../../db/drizzle.ts";
import { findLiveKey, type LiveKey, noteKeyUse } from "./keys.ts";
import type { KeyPrincipal, Principal, SessionPrincipal } from "./principal.ts";
import { isSameSecret } from "./secret.ts";
import { findLiveSession, noteSessionUse, SESSION_COOKIE } from "./sessions.ts";

export interface AuthenticatorOptions {
  readonly db: Db;
  /** Secrets that open everything: the admin token, the local commands' token. */
  readonly tokens: readonly string[];
  readonly now: () => number;
}

export interface Authenticator {
  /** Who sends this request; `null` for nobody, or for credentials that are wrong, revoked or too old. */
  identify(req: IncomingMessage): Promise<Principal | null>;
  /** Forgets what it remembers of keys: after one was revoked, or its project changed. */
  forgetKeys(): void;
}

/** A revoked key may live on for this long on *other* servers of the same database. */
const REMEMBER_MS = 5_000;
const NOTE_USE_EVERY_MS = 60_000;
const MAX_REMEMBERED = 1_000;

export function createAuthenticator({ db, tokens, now }: AuthenticatorOptions): Authenticator {
  const remembered = new Map<string, { readonly key: LiveKey; readonly untilMs: number }>();
  const isDue = createPacer(now);

  async function findKey(secret: string): Promise<KeyPrincipal | null> {
    const known = remembered.get(secret);
    if (known !== undefined && known.untilMs > now()) return known.key.principal;
    remembered.delete(secret);
    const key = await findLiveKey(db, secret, new Date(now()));
    if (key === null) return null;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const expiresMs = key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    remembered.set(secret, { key, untilMs: Math.min(now() + REMEMBER_MS, expiresMs) });
    return key.principal;
  }

  async function identifyBearer(secret: string): Promise<Principal | null> {
    if (tokens.some((token) => isSameSecret(secret, token))) return { via: "token" };
    const key = await findKey(secret);
    if (key === null) return null;
    isDue(`key ${key.keyId}`, () => noteKeyUse(db, key.project.id, key.keyId, new Date(now())));
    return key;
  }

  async function identifyCookie(cookie: string): Promise<SessionPrincipal | null> {
    const session = await findLiveSession(db, cookie, new Date(now()));
    if (session === null) return null;
    isDue(`session ${session.sessionId}`, () => noteSessionUse(db, session.sessionHash, new Date(now())));
    return session;
  }

  return {
    async identify(req) {
      const { authorization } = req.headers;
      if (authorization !== undefined) {
        const secret = /^Bearer\s+(\S{1,200})\s*$/i.exec(authorization)?.[1];
        return secret === undefined ? null : identifyBearer(secret);
      }
      const cookie = readCookie(req.headers.cookie, SESSION_COOKIE);
      return cookie === null ? null : identifyCookie(cookie);
    },
    forgetKeys() {
      remembered.clear();
    },
  };
}

/** Lets a use be noted at most once a minute; nobody waits for it, and what failed is tried again. */
function createPacer(now: () => number): (name: string, note: () => Promise<void>) => void {
  const notedAtMs = new Map<string, number>();
  return (name, note) => {
    const nowMs = now();
    if (nowMs - (notedAtMs.get(name) ?? Number.NEGATIVE_INFINITY) < NOTE_USE_EVERY_MS) return;
    if (notedAtMs.size >= MAX_REMEMBERED) notedAtMs.clear();
    notedAtMs.set(name, nowMs);
    note().catch(() => notedAtMs.delete(name));
  };
}

/** The value of a cookie, or `null`. */
export function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const [key, value] = pair.trim().split("=", 2);
    if (key === name && value !== undefined && value.length <= 2_000) return value;
  }
  return null;
}
