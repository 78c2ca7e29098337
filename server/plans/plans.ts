import { and, desc, eq, isNotNull, lt } from "drizzle-orm";
import type { Db, DbLike } from "../../db/drizzle.ts";
import { plan } from "../../db/schema/index.ts";
import type { PlanVersion } from "../contract/plan.ts";
import { noSuchPlan } from "./plan-errors.ts";

export type PlanRow = typeof plan.$inferSelect;

/** The version in force, or `null` before the first one. */
export async function findPublished(db: DbLike, projectId: number): Promise<PlanRow | null> {
  const [row] = await db
    .select()
    .from(plan)
    .where(and(eq(plan.projectId, projectId), isNotNull(plan.publishedAt)))
    .orderBy(desc(plan.version))
    .limit(1);
  return row ?? null;
}

export async function findVersion(db: DbLike, projectId: number, version: number): Promise<PlanRow | null> {
  const [row] = await db
    .select()
    .from(plan)
    .where(and(eq(plan.projectId, projectId), eq(plan.version, version)));
  return row ?? null;
}

/** @throws AppError 404 */
export async function getVersion(db: DbLike, projectId: number, version: number): Promise<PlanRow> {
  const row = await findVersion(db, projectId, version);
  if (row === null) throw noSuchPlan();
  return row;
}

/** The newest version, draft or not. */
export async function findNewest(db: DbLike, projectId: number): Promise<PlanRow | null> {
  const [row] = await db
    .select()
    .from(plan)
    .where(eq(plan.projectId, projectId))
    .orderBy(desc(plan.version))
    .limit(1);
  return row ?? null;
}

/** Newest first. @param before only versions below it; `null`: from the newest on */
export async function listVersions(
  db: Db,
  projectId: number,
  { limit, before }: { limit: number; before: number | null },
): Promise<PlanVersion[]> {
  const inForce = (await findPublished(db, projectId))?.version ?? 0;
  const { document: _, ...columns } = { ...planColumns() };
  const rows = await db
    .select(columns)
    .from(plan)
    .where(and(eq(plan.projectId, projectId), before === null ? undefined : lt(plan.version, before)))
    .orderBy(desc(plan.version))
    .limit(limit);
  return rows.map((row) => toPlanVersion(row, inForce));
}

const planColumns = () => ({
  version: plan.version,
  document: plan.document,
  basedOn: plan.basedOn,
  copyOf: plan.copyOf,
  author: plan.author,
  publisher: plan.publisher,
  reason: plan.reason,
  createdAt: plan.createdAt,
  publishedAt: plan.publishedAt,
});

/** @param inForce number of the published version; 0: none */
export function toPlanVersion(row: Omit<PlanRow, "projectId" | "document">, inForce: number): PlanVersion {
  const { version, basedOn, copyOf, author, publisher, reason, createdAt, publishedAt } = row;
  return {
    version,
    state: publishedAt === null ? "draft" : version === inForce ? "published" : "past",
    basedOn,
    copyOf,
    author,
    publisher,
    reason,
    createdAt: createdAt.toISOString(),
    publishedAt: publishedAt?.toISOString() ?? null,
  };
}
