import type { ISql } from "../../db/connect.ts";
import type { DbLike } from "../../db/drizzle.ts";
import type { Actor } from "../../db/schema/columns.ts";
import { auditLog } from "../../db/schema/index.ts";
import type { Principal } from "../access/principal.ts";
import type { AuditAction } from "../contract/audit.ts";

/** The moment at which something is changed, and by whom. */
export interface Occasion {
  readonly actor: Actor;
  readonly at: Date;
  readonly requestId: string | null;
}

export interface Change {
  readonly action: AuditAction;
  /** `null`: the installation as a whole. */
  readonly project: { readonly id: number; readonly slug: string } | null;
  readonly subject: { readonly id: number | string; readonly name: string };
  /** Of what is changed, without any secret; `null`: it was not there. */
  readonly before?: Readonly<Record<string, unknown>> | null;
  /** `null`: it is gone. */
  readonly after?: Readonly<Record<string, unknown>> | null;
}

export const SERVER: Actor = { kind: "server", id: null, name: "busyhour" };

export function toActor(principal: Principal | null): Actor {
  switch (principal?.via) {
    case "session":
      return { kind: "person", id: principal.userId, name: principal.userName };
    case "key":
      return { kind: "key", id: principal.keyId, name: principal.keyName };
    case "token":
      return { kind: "token", id: null, name: "admin token" };
    default:
      return { kind: "server", id: null, name: "nobody" };
  }
}

export const toPerson = ({ id, name }: { id: number; name: string }): Actor => ({ kind: "person", id, name });

function toRow({ actor, at, requestId }: Occasion, change: Change) {
  return {
    at,
    projectId: change.project?.id ?? null,
    projectSlug: change.project?.slug ?? null,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    action: change.action,
    subjectId: String(change.subject.id),
    subjectName: change.subject.name,
    before: change.before ?? null,
    after: change.after ?? null,
    requestId,
  };
}

/** Writes a change into the audit log: in the transaction that makes it, so that there is never one without the other. */
export async function noteChange(tx: DbLike, occasion: Occasion, change: Change): Promise<void> {
  await tx.insert(auditLog).values(toRow(occasion, change));
}

/** The same in a transaction of raw statements. */
export async function noteChangeSql(tx: ISql, occasion: Occasion, change: Change): Promise<void> {
  const row = toRow(occasion, change);
  const toJson = (value: unknown) => (value === null ? null : tx.json(value as never));
  await tx`
    insert into audit_log (at, project_id, project_slug, actor_kind, actor_id, actor_name, action,
                           subject_id, subject_name, before, after, request_id)
    values (${row.at}, ${row.projectId}, ${row.projectSlug}, ${row.actorKind}, ${row.actorId}, ${row.actorName},
            ${row.action}, ${row.subjectId}, ${row.subjectName}, ${toJson(row.before)}, ${toJson(row.after)},
            ${row.requestId})`;
}

/** The fields of `after` that differ, as they were and as they are. */
export function diff<T extends Readonly<Record<string, unknown>>>(
  before: T,
  after: T,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const changed = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (of: T) => Object.fromEntries(changed.map((name) => [name, of[name]]));
  return { before: pick(before), after: pick(after) };
}
