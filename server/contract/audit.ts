import { z } from "zod";
import { instant } from "./share.ts";

/** What the audit log tells of: a thing, and what was done to it. */
export const AUDIT_ACTIONS = [
  "project.created",
  "project.changed",
  "project.removed",
  "sample.created",
  "sample.removed",
  "key.created",
  "key.changed",
  "key.rotated",
  "key.revoked",
  "user.created",
  "user.changed",
  "user.removed",
  "user.password",
  "user.identity",
  "member.set",
  "member.removed",
  "invitation.created",
  "invitation.accepted",
  "invitation.withdrawn",
  "session.opened",
  "session.ended",
  "link.created",
  "rules.replaced",
  "rollups.rebuilt",
  "secrets.rotated",
  "outcomes.renamed",
  "plan.drafted",
  "plan.published",
  "plan.rolledBack",
  "channel.created",
  "channel.changed",
  "channel.rotated",
  "channel.removed",
  "status.changed",
  "status.stated",
  "note.created",
  "note.changed",
  "note.updated",
  "note.removed",
  "rule.created",
  "rule.changed",
  "rule.removed",
  "alert.acknowledged",
  "silence.created",
  "silence.changed",
  "silence.ended",
  "maintenance.created",
  "maintenance.changed",
  "maintenance.removed",
  "jobs.cancelled",
  "jobs.retried",
  "queue.changed",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const record = z.record(z.string(), z.unknown());

export const auditEntry = z
  .object({
    id: z.int(),
    at: instant,
    project: z.string().nullable().describe("Its slug then; null: the installation as a whole."),
    actor: z.object({
      kind: z.enum(["person", "key", "token", "server"]),
      id: z.int().nullable(),
      name: z.string(),
    }),
    action: z.enum(AUDIT_ACTIONS),
    subject: z.object({ id: z.string(), name: z.string() }),
    before: record.nullable().describe("Of what was changed; null: it was not there."),
    after: record.nullable().describe("null: it is gone."),
    requestId: z.string().nullable(),
  })
  .meta({ id: "AuditEntry" });

export const auditAnswer = z
  .object({ entries: z.array(auditEntry), next: z.string().nullable() })
  .meta({ id: "AuditPage" });

export type AuditEntry = z.infer<typeof auditEntry>;
export type AuditPage = z.infer<typeof auditAnswer>;
