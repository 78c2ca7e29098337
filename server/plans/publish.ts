import { and, eq } from "drizzle-orm";
import type { Db, DbLike } from "../../db/drizzle.ts";
import { plan, project } from "../../db/schema/index.ts";
import { noteChange, type Occasion } from "../audit/note-change.ts";
import type { AuditAction } from "../contract/audit.ts";
import type { PlanDocument, PlanVersion } from "../contract/plan.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { noSuchPlan, planConflict, wrongState } from "./plan-errors.ts";
import { findNewest, findPublished, getVersion, type PlanRow, toPlanVersion } from "./plans.ts";

export interface Draft {
  readonly document: PlanDocument;
  /** `undefined`: the version in force. */
  readonly basedOn: number | undefined;
  readonly reason: string | undefined;
}

/** Keeps a draft: nobody runs it before it is published. */
export function draftPlan(
  db: Db,
  owner: ProjectRow,
  { document, basedOn, reason }: Draft,
  occasion: Occasion,
): Promise<PlanVersion> {
  return inTurn(db, owner, async (tx, published) => {
    const { actor } = occasion;
    const base = basedOn ?? published?.version ?? 0;
    const row = await insert(tx, owner, occasion, {
      document: withoutVersion(document),
      basedOn: base === 0 ? null : base,
      author: actor,
      reason: reason ?? null,
    });
    await note(tx, owner, occasion, "plan.drafted", row, null);
    return toPlanVersion(row, published?.version ?? 0);
  });
}

export interface Publication {
  /** A document, or the number of a draft. */
  readonly what: PlanDocument | number;
  /** The published version that whoever publishes has seen; 0: none. */
  readonly basedOn: number;
  readonly reason: string;
}

/**
 * Puts a plan in force. A published version has a higher number than all that were published before: a draft that is
 * not, is published as a copy.
 *
 * @throws AppError 409 when another version was published in the meantime; 404
 */
export function publishPlan(
  db: Db,
  owner: ProjectRow,
  { what, basedOn, reason }: Publication,
  occasion: Occasion,
): Promise<PlanVersion> {
  return inTurn(db, owner, async (tx, published) => {
    assertSeen(published, basedOn);
    const row =
      typeof what === "number"
        ? await publishDraft(tx, owner, { version: what, published, reason }, occasion)
        : await insertPublished(
            tx,
            owner,
            { document: withoutVersion(what), basedOn, reason, author: occasion.actor },
            occasion,
          );
    await note(tx, owner, occasion, "plan.published", row, published);
    return toPlanVersion(row, row.version);
  });
}

async function publishDraft(
  tx: DbLike,
  owner: ProjectRow,
  { version, published, reason }: { version: number; published: PlanRow | null; reason: string },
  occasion: Occasion,
): Promise<PlanRow> {
  const draft = await getVersion(tx, owner.id, version);
  if (draft.publishedAt !== null)
    throw wrongState(`Version ${version} was published already. To publish it again, roll back to it.`);
  if (published !== null && published.version > version) {
    const { document, author } = draft;
    const copy = { document, author, basedOn: published.version, copyOf: version, reason };
    return insertPublished(tx, owner, copy, occasion);
  }
  const [row] = await tx
    .update(plan)
    .set({ publisher: occasion.actor, publishedAt: occasion.at, reason })
    .where(and(eq(plan.projectId, owner.id), eq(plan.version, version)))
    .returning();
  if (row === undefined) throw noSuchPlan();
  return row;
}

/**
 * Publishes an earlier version again, as a new one.
 *
 * @throws AppError 404; 409 when another version was published in the meantime, or this one never was
 */
export function rollBackPlan(
  db: Db,
  owner: ProjectRow,
  { version, basedOn, reason }: { version: number; basedOn: number; reason: string },
  occasion: Occasion,
): Promise<PlanVersion> {
  return inTurn(db, owner, async (tx, published) => {
    assertSeen(published, basedOn);
    const old = await getVersion(tx, owner.id, version);
    if (old.publishedAt === null)
      throw wrongState(`Version ${version} was never published. It is a draft: publish it.`);
    if (version === published?.version) throw wrongState(`Version ${version} is in force.`);
    const copy = { document: old.document, author: old.author, basedOn, copyOf: version, reason };
    const row = await insertPublished(tx, owner, copy, occasion);
    await note(tx, owner, occasion, "plan.rolledBack", row, published);
    return toPlanVersion(row, row.version);
  });
}

/** Whoever writes versions of one project does so after one another. */
function inTurn<T>(
  db: Db,
  { id }: ProjectRow,
  work: (tx: DbLike, published: PlanRow | null) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.select({ id: project.id }).from(project).where(eq(project.id, id)).for("no key update");
    return work(tx, await findPublished(tx, id));
  });
}

function assertSeen(published: PlanRow | null, basedOn: number): void {
  if ((published?.version ?? 0) !== basedOn) throw planConflict(published, basedOn);
}

type Given = Pick<PlanRow, "document" | "basedOn" | "author" | "reason"> &
  Partial<Pick<PlanRow, "copyOf" | "publisher" | "publishedAt">>;

async function insert(tx: DbLike, owner: ProjectRow, occasion: Occasion, given: Given): Promise<PlanRow> {
  const newest = await findNewest(tx, owner.id);
  const [row] = await tx
    .insert(plan)
    .values({
      ...given,
      projectId: owner.id,
      version: (newest?.version ?? 0) + 1,
      createdAt: occasion.at,
    })
    .returning();
  if (row === undefined) throw new Error("the new plan was not returned");
  return row;
}

function insertPublished(
  tx: DbLike,
  owner: ProjectRow,
  given: Omit<Given, "publisher" | "publishedAt">,
  occasion: Occasion,
): Promise<PlanRow> {
  return insert(tx, owner, occasion, {
    ...given,
    basedOn: given.basedOn === 0 ? null : given.basedOn,
    publisher: occasion.actor,
    publishedAt: occasion.at,
  });
}

function note(
  tx: DbLike,
  owner: ProjectRow,
  occasion: Occasion,
  action: AuditAction,
  { version, copyOf, reason }: PlanRow,
  before: PlanRow | null,
): Promise<void> {
  return noteChange(tx, occasion, {
    action,
    project: owner,
    subject: { id: version, name: `version ${version}` },
    before: before === null ? null : { version: before.version },
    after: { version, reason, ...(copyOf === null ? {} : { copyOf }) },
  });
}

/** Its number is the row's. */
function withoutVersion({ version: _, ...document }: PlanDocument): Record<string, unknown> {
  return document;
}
