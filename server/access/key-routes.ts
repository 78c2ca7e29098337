import type { Db } from "../../db/drizzle.ts";
import * as contract from "../contract/access-routes.ts";
import { type KeyKind, KIND_SCOPES, type Scope } from "../contract/route.ts";
import { AppError } from "../http/app-error.ts";
import { invalidBody } from "../http/parse.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { changeKey, createKey, listKeys, revokeKey, rotateKey } from "./keys.ts";
import { type Principal, scopesOf } from "./principal.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface KeyDeps {
  readonly db: Db;
  /** Called when keys change, so that what is remembered of them is forgotten. */
  readonly onKeysChanged: () => void;
}

export function keyRoutes({ db, onKeysChanged }: KeyDeps): BoundRoute[] {
  return [
    bindRoute(contract.getKeys, async ({ project }) => ({ keys: await listKeys(db, project.id) })),
    bindRoute(contract.postKeys, async ({ principal, project, body, nowMs, occasion }) => {
      const { kind, name, scopes, eventsPerMinute, expiresInDays } = body;
      assertScopes(kind, scopes ?? null, principal);
      if (eventsPerMinute !== undefined && kind === "read") {
        throw invalidBody([{ pointer: "/eventsPerMinute", detail: "is not for keys of kind read" }]);
      }
      return createKey(
        db,
        project,
        {
          kind,
          name,
          scopes: scopes ?? null,
          eventsPerMinute: eventsPerMinute ?? null,
          expiresAt: expiresInDays === undefined ? null : new Date(nowMs + expiresInDays * DAY_MS),
        },
        occasion,
      );
    }),
    bindRoute(contract.patchKey, async ({ project, params, body, occasion }) => {
      const key = await changeKey(db, project, params.id, body, occasion);
      if (key === null) throw noSuchKey();
      onKeysChanged();
      return key;
    }),
    bindRoute(contract.postKeyRotations, async ({ principal, project, params, body, occasion }) => {
      const keys = await listKeys(db, project.id);
      const old = keys.find(({ id }) => id === params.id);
      if (old !== undefined) assertScopes(old.kind, old.scopes, principal);
      const overlapMs = body.overlapHours * HOUR_MS;
      const made = await rotateKey(db, project, { id: params.id, overlapMs }, occasion);
      if (made === null) throw old === undefined ? noSuchKey() : keyIsOver();
      onKeysChanged();
      return made;
    }),
    bindRoute(contract.deleteKey, async ({ project, params, occasion }) => {
      const key = await revokeKey(db, project, params.id, occasion);
      if (key === null) throw noSuchKey();
      onKeysChanged();
      return key;
    }),
  ];
}

/** A key may hold what its kind allows, and a key may make no other that may do more than itself. */
function assertScopes(kind: KeyKind, scopes: readonly Scope[] | null, maker: Principal): void {
  const foreign = (scopes ?? []).filter((scope) => !KIND_SCOPES[kind].includes(scope));
  if (foreign.length > 0) {
    const known = KIND_SCOPES[kind].join(", ");
    throw invalidBody([
      {
        pointer: "/scopes",
        detail: `a key of kind ${kind} has no ${foreign.join(", ")}; it may have ${known}`,
      },
    ]);
  }
  if (maker.via !== "key") return;
  const own = scopesOf(maker);
  const beyond = scopesOf({ keyKind: kind, scopes }).filter((scope) => !own.includes(scope));
  if (beyond.length === 0) return;
  throw new AppError({
    status: 403,
    code: "forbidden",
    title: "Not allowed",
    detail: `The key that asks has not the scope ${beyond.join(", ")} itself.`,
  });
}

function noSuchKey(): AppError {
  return new AppError({ status: 404, code: "no_such_key", title: "There is no such key" });
}

function keyIsOver(): AppError {
  return new AppError({
    status: 409,
    code: "key_is_over",
    title: "This key cannot be replaced",
    detail: "It is revoked, expired, or was replaced already. Make a new one.",
  });
}
