import type { z } from "zod";

/** What a key is for. `admin` may do within its project what the other two may, and manage it. */
export type KeyKind = "ingest" | "read" | "admin";

/** What a signed-in person may do, each including the ones before. */
export const ROLES = ["viewer", "editor", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

/**
 * Who may call a route. `BUSYHOUR_ADMIN_TOKEN` and the local commands' token may call every one.
 *
 * `keys` lists the kinds of key; `role` is the least a signed-in person needs, `null` where a browser has no
 * business. `"public"` needs neither.
 */
export type Access =
  | "public"
  | {
      readonly keys: readonly KeyKind[];
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
export interface RouteContract {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
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

export function defineRoute<const T extends RouteContract>(route: T): T {
  return route;
}
