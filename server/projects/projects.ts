import { eq, exists, sql } from "drizzle-orm";
import type { Db } from "../../db/drizzle.ts";
import { project, series } from "../../db/schema/index.ts";
import type { ProjectRecord } from "../contract/access.ts";

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

export async function updateProject(
  db: Db,
  id: number,
  change: { name?: string | undefined; timeZone?: string | undefined },
): Promise<ProjectRow | null> {
  const set = {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.timeZone === undefined ? {} : { timeZone: change.timeZone }),
  };
  if (Object.keys(set).length === 0)
    return (await db.select().from(project).where(eq(project.id, id)))[0] ?? null;
  const [row] = await db.update(project).set(set).where(eq(project.id, id)).returning();
  return row ?? null;
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
