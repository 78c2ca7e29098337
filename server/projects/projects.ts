import { eq, exists, sql } from "drizzle-orm";
import type { Db } from "../../db/drizzle.ts";
import { project, series } from "../../db/schema/index.ts";
import { diff, noteChange, type Occasion } from "../audit/note-change.ts";
import type { ProjectRecord } from "../contract/access.ts";
import { AppError } from "../http/app-error.ts";

export type ProjectRow = typeof project.$inferSelect;

/** Slug of the project that exists from the start, meant when none is named. */
export const DEFAULT_PROJECT = "default";
export const SAMPLE_PROJECT = "sample";

export async function findProject(db: Db, slug: string): Promise<ProjectRow | null> {
  // PostgreSQL cannot hold a NUL, nor look for one.
  if (slug.includes("\0")) return null;
  const [row] = await db.select().from(project).where(eq(project.slug, slug));
  return row ?? null;
}

export async function listProjects(db: Db): Promise<ProjectRow[]> {
  return db.select().from(project).orderBy(project.id);
}

/** Ids of the projects that a call was ever stored in. */
export async function listProjectsWithCalls(db: Db): Promise<ReadonlySet<number>> {
  const anyCall = db.select({ one: sql`1` }).from(series).where(eq(series.projectId, project.id));
  const rows = await db.select({ id: project.id }).from(project).where(exists(anyCall));
  return new Set(rows.map(({ id }) => id));
}

/** @throws AppError 409 when there is one of this slug */
export function createProject(
  db: Db,
  given: { slug: string; name: string; timeZone: string },
  occasion: Occasion,
): Promise<ProjectRow> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(project)
      .values({ ...given, createdAt: occasion.at })
      .onConflictDoNothing({ target: project.slug })
      .returning();
    if (row === undefined) throw slugTaken("is taken");
    await noteChange(tx, occasion, {
      action: "project.created",
      project: row,
      subject: row,
      after: given,
    });
    return row;
  });
}

/** The project as it is then; `null` when it is gone. */
export function updateProject(
  db: Db,
  id: number,
  change: { name?: string | undefined; timeZone?: string | undefined },
  occasion: Occasion,
): Promise<ProjectRow | null> {
  return db.transaction(async (tx) => {
    const [old] = await tx.select().from(project).where(eq(project.id, id)).for("update");
    if (old === undefined) return null;
    const set = { name: change.name ?? old.name, timeZone: change.timeZone ?? old.timeZone };
    const [row] = await tx.update(project).set(set).where(eq(project.id, id)).returning();
    const changed = diff({ name: old.name, timeZone: old.timeZone }, set);
    if (Object.keys(changed.after).length > 0) {
      await noteChange(tx, occasion, {
        action: "project.changed",
        project: old,
        subject: old,
        ...changed,
      });
    }
    return row ?? null;
  });
}

export function slugTaken(why: string): AppError {
  return new AppError({
    status: 409,
    code: "slug_taken",
    title: "There is such a project already",
    errors: [{ pointer: "/slug", detail: why }],
  });
}

export function toProjectRecord(row: ProjectRow): ProjectRecord {
  return {
    slug: row.slug,
    name: row.name,
    timeZone: row.timeZone,
    isSample: row.isSample,
    createdAt: row.createdAt.toISOString(),
  };
}
