import type { z } from "zod";
import type { AuditAction } from "./audit.ts";

/** What a key is for. `admin` may do within its project what the other two may, and manage it. */
export type KeyKind = "ingest" | "read" | "admin";

/** What a person may do in a project, each including the ones before. */
export const MEMBER_ROLES = ["viewer", "editor", "admin"] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** An owner of the installation may do everything in every project. */
export const ROLES = [...MEMBER_ROLES, "owner"] as const;
export type Role = (typeof ROLES)[number];

/** Parts of what keys may do, so that a key may be made for less than its kind allows. */
export const SCOPES = ["events", "jobs", "work", "figures", "attempts", "manage", "access"] as const;
export type Scope = (typeof SCOPES)[number];

/** What a key may do that was not narrowed. */
export const KIND_SCOPES: Readonly<Record<KeyKind, readonly Scope[]>> = {
  ingest: ["events", "jobs", "work"],
  read: ["jobs", "figures", "attempts"],
  admin: SCOPES,
};

/**
 * Who may call a route. `BUSYHOUR_ADMIN_TOKEN` and the local commands' token may call every one.
 *
 * `of` says what it is about: a project (one that the caller has no part in is as good as none), the installation,
 * or the person who asks. `keys` lists the kinds of key, and `scope` what they must hold (`null`: nothing more);
 * `role` is the least a signed-in person needs there, `null` where a browser has no business. `"public"` needs
 * neither.
 */
export type Access =
  | "public"
  | {
      readonly of: "project" | "installation" | "person";
      readonly keys: readonly KeyKind[];
      readonly scope: Scope | null;
      readonly role: Role | null;
    };

/** How a body is laid out: one JSON document, one per line, or a protobuf message. */
export type BodyType = "application/json" | "application/x-ndjson" | "application/x-protobuf";

/** How a body is read: `json` is parsed and checked, `raw` is handed over as it came. */
export type BodyContract =
  | { readonly kind: "json"; readonly schema: z.ZodType }
  | {
      readonly kind: "raw";
      readonly mediaTypes: readonly BodyType[];
      readonly schema: z.ZodType;
      /** After decompression; 8 MiB when left out. */
      readonly maxBytes?: number;
    };

/** One route: what validation, the OpenAPI document and the test of the walls are made of. */
interface RouteParts {
  /** Express path; parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: BodyContract;
  readonly answer: {
    readonly status: 200 | 201 | 202 | 204 | 302;
    readonly description: string;
    /** Absent: no body, or one that is not JSON. */
    readonly schema?: z.ZodType;
    readonly mediaType?: string;
  };
}

/** `audit`: what it writes into the audit log; `[]` for what changes nothing that is to be told. */
export type RouteContract = RouteParts &
  (
    | { readonly method: "get"; readonly audit?: readonly AuditAction[] }
    | { readonly method: "post" | "put" | "patch" | "delete"; readonly audit: readonly AuditAction[] }
  );

export function defineRoute<const T extends RouteContract>(route: T): T {
  return route;
}
