import { z } from "zod";
import { MEMBER_ROLES, ROLES, SCOPES } from "./route.ts";
import { instant } from "./share.ts";

/** A name that people give: PostgreSQL cannot hold a NUL, and nobody wants the others. */
export const givenName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, "must be without control characters");

export const keyKind = z.enum(["ingest", "read", "admin"]);

export const scope = z.enum(SCOPES);
export const memberRole = z.enum(MEMBER_ROLES);
export const role = z.enum(ROLES);

export const keyRecord = z
  .object({
    id: z.int(),
    kind: keyKind,
    name: z.string(),
    prefix: z.string().describe("First characters, to tell keys apart."),
    scopes: z.array(scope).nullable().describe("What of its kind it may do; null: all."),
    eventsPerMinute: z.int().nullable().describe("Events taken of it, on each server; null: no limit."),
    createdAt: instant,
    expiresAt: instant.nullable().describe("From then on it is refused; null: never."),
    replacedBy: z.int().nullable().describe("The key that was made in its place."),
    lastUsedAt: instant.nullable(),
    revokedAt: instant.nullable(),
  })
  .meta({ id: "Key" });

export const keysAnswer = z.object({ keys: z.array(keyRecord) }).meta({ id: "Keys" });

const days = z.int().min(1).max(3_650);
const eventsPerMinute = z.int().min(1).max(10_000_000);

export const newKey = z
  .object({
    kind: keyKind,
    name: givenName,
    scopes: z.array(scope).min(1).max(SCOPES.length).optional().describe("Less than its kind allows."),
    expiresInDays: days.optional().describe("Refused from then on; never when left out."),
    eventsPerMinute: eventsPerMinute
      .optional()
      .describe("Of kind ingest or admin: more is answered with 429. On each server."),
  })
  .meta({ id: "NewKey" });

export const keyChange = z
  .object({ name: givenName.optional(), eventsPerMinute: eventsPerMinute.nullable().optional() })
  .meta({ id: "KeyChange" });

export const keyRotation = z
  .object({
    overlapHours: z.int().min(0).max(720).default(24).describe("So long the old key goes on working."),
  })
  .meta({ id: "KeyRotation" });

export const createdKey = keyRecord
  .extend({ key: z.string().describe("The key itself: shown this once.") })
  .meta({ id: "CreatedKey" });

export const projectRecord = z
  .object({
    slug: z.string(),
    name: z.string(),
    timeZone: z.string(),
    isSample: z.boolean().describe("Made-up traffic; remove it with DELETE /api/sample."),
    createdAt: instant,
  })
  .meta({ id: "Project" });

export const listedProject = projectRecord
  .extend({
    hasCalls: z.boolean().describe("Whether any call was ever stored."),
    role: role.describe("What the caller may do there."),
  })
  .meta({ id: "ListedProject" });

export const projectsAnswer = z.object({ projects: z.array(listedProject) }).meta({ id: "Projects" });

export const newProject = z
  .object({
    slug: z
      .string()
      .min(1)
      .max(40)
      .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, "must be of a–z, 0–9 and dashes within, like my-app"),
    name: givenName,
    timeZone: z.string().max(64).default("UTC"),
  })
  .meta({ id: "NewProject" });

export const projectChange = z
  .object({
    name: givenName.optional(),
    timeZone: z.string().max(64).optional().describe("IANA zone in which hours of the week are counted."),
  })
  .meta({ id: "ProjectChange" });

export const limitsAnswer = z
  .object({
    rawRetentionDays: z.int().describe("Older events are refused."),
    maxEventsPerRequest: z.int(),
    maxBodyBytes: z.int().describe("After decompression."),
    now: instant,
  })
  .meta({ id: "Limits" });

export const meAnswer = z
  .object({
    via: z.enum(["key", "session", "token"]),
    keyKind: keyKind.nullable(),
    role: role.nullable().describe("In this project; null: not signed in as a person."),
    person: z
      .object({ id: z.int(), name: z.string(), email: z.string().nullable(), hasPassword: z.boolean() })
      .nullable(),
    project: projectRecord,
  })
  .meta({ id: "Me" });

export const signInLinkAnswer = z.object({ url: z.string(), expiresAt: instant }).meta({ id: "SignInLink" });

export const sampleAnswer = z.object({ project: projectRecord, attempts: z.number() }).meta({ id: "Sample" });

export const sampleState = z
  .object({
    state: z.enum(["none", "making", "ready"]),
    attempts: z.number().nullable().describe("Made so far, while it is being made; else null."),
    share: z.number().min(0).max(1).nullable().describe("Of its eight weeks; at 1 they are being added up."),
  })
  .meta({ id: "SampleState" });

export const rebuildRequest = z
  .object({ from: z.string().max(64).optional(), to: z.string().max(64).optional() })
  .meta({ id: "RebuildRequest" });

export const rebuildAnswer = z
  .object({
    days: z.int().describe("UTC days put on the rollup job's queue."),
    sealedDays: z.int().describe("Left as they are: their raw attempts are gone."),
  })
  .meta({ id: "Rebuild" });

export const secretRotation = z
  .object({
    rotated: z.int().describe("Secrets that were encrypted anew."),
    unreadable: z.int().describe("Left as they were: their key is not there, or they were changed."),
  })
  .meta({ id: "SecretRotation" });

export type SampleState = z.infer<typeof sampleState>;
export type Me = z.infer<typeof meAnswer>;
export type KeyRecord = z.infer<typeof keyRecord>;
export type CreatedKey = z.infer<typeof createdKey>;
export type ProjectRecord = z.infer<typeof projectRecord>;
export type ListedProject = z.infer<typeof listedProject>;
