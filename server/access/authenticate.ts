import type { IncomingMessage } from "node:http";
import type { Db } from "../../db/drizzle.ts";
import { findLiveKey, type LiveKey, noteKeyUse } from "./keys.ts";
import type { Principal } from "./principal.ts";
import { isSameSecret } from "./secret.ts";
import { findLiveSession, SESSION_COOKIE } from "./sessions.ts";

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
  const usedAtMs = new Map<number, number>();

  async function findKey(secret: string): Promise<LiveKey | null> {
    const known = remembered.get(secret);
    if (known !== undefined && known.untilMs > now()) return known.key;
    remembered.delete(secret);
    const key = await findLiveKey(db, secret);
    if (key === null) return null;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(secret, { key, untilMs: now() + REMEMBER_MS });
    return key;
  }

  /** The use is noted at most once a minute, and nobody waits for it. */
  function noteUse(key: LiveKey): void {
    const nowMs = now();
    if (nowMs - (usedAtMs.get(key.id) ?? Number.NEGATIVE_INFINITY) < NOTE_USE_EVERY_MS) return;
    usedAtMs.set(key.id, nowMs);
    noteKeyUse(db, key.project.id, key.id, new Date(nowMs)).catch(() => usedAtMs.delete(key.id));
  }

  async function identifyBearer(secret: string): Promise<Principal | null> {
    if (tokens.some((token) => isSameSecret(secret, token))) return { via: "token" };
    const key = await findKey(secret);
    if (key === null) return null;
    noteUse(key);
    return { via: "key", keyId: key.id, keyKind: key.kind, project: key.project };
  }

  return {
    async identify(req) {
      const { authorization } = req.headers;
      if (authorization !== undefined) {
        const secret = /^Bearer\s+(\S{1,200})\s*$/i.exec(authorization)?.[1];
        return secret === undefined ? null : identifyBearer(secret);
      }
      const cookie = readCookie(req.headers.cookie, SESSION_COOKIE);
      if (cookie === null) return null;
      const live = await findLiveSession(db, cookie, new Date(now()));
      return live === null
        ? null
        : { via: "session", userId: live.userId, role: live.role, sessionHash: live.hash };
    },
    forgetKeys() {
      remembered.clear();
    },
  };
}

function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const [key, value] = pair.trim().split("=", 2);
    if (key === name && value !== undefined && value.length <= 200) return value;
  }
  return null;
}
