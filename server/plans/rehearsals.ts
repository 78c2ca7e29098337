import { and, desc, eq, inArray, lt } from "drizzle-orm";
import type { Db } from "../../db/drizzle.ts";
import { rehearsal } from "../../db/schema/index.ts";
import type { NewRehearsal, Rehearsal } from "../contract/router-instance.ts";

/** Kept of one project: whoever may send may send many. */
const MAX_REHEARSALS = 1_000;

type RehearsalRow = typeof rehearsal.$inferSelect;

export async function insertRehearsal(
  db: Db,
  projectId: number,
  { cases, source, sdkVersion, startedAt, durationMs, ...given }: NewRehearsal,
  at: Date,
): Promise<Rehearsal> {
  const [row] = await db
    .insert(rehearsal)
    .values({
      ...given,
      projectId,
      source: source ?? null,
      sdkVersion: sdkVersion ?? null,
      caseCount: cases,
      startedAt: new Date(startedAt),
      durationMs: Math.round(durationMs),
      receivedAt: at,
    })
    .returning();
  if (row === undefined) throw new Error("the new rehearsal was not returned");
  await forgetBeyond(db, projectId);
  return toRehearsal(row);
}

async function forgetBeyond(db: Db, projectId: number): Promise<void> {
  const ofProject = eq(rehearsal.projectId, projectId);
  const beyond = db
    .select({ id: rehearsal.id })
    .from(rehearsal)
    .where(ofProject)
    .orderBy(desc(rehearsal.id))
    .offset(MAX_REHEARSALS);
  await db.delete(rehearsal).where(and(ofProject, inArray(rehearsal.id, beyond)));
}

/** Newest first. @param before only those of a lower number; `null`: from the newest on */
export async function listRehearsals(
  db: Db,
  projectId: number,
  { chain, limit, before }: { chain: string | undefined; limit: number; before: number | null },
): Promise<Rehearsal[]> {
  const rows = await db
    .select()
    .from(rehearsal)
    .where(
      and(
        eq(rehearsal.projectId, projectId),
        chain === undefined ? undefined : eq(rehearsal.chain, chain),
        before === null ? undefined : lt(rehearsal.id, before),
      ),
    )
    .orderBy(desc(rehearsal.id))
    .limit(limit);
  return rows.map(toRehearsal);
}

function toRehearsal({ caseCount, targets, startedAt, ...row }: RehearsalRow): Rehearsal {
  const { projectId: _, receivedAt: __, ...rest } = row;
  return {
    ...rest,
    cases: caseCount,
    targets: targets as Rehearsal["targets"],
    startedAt: startedAt.toISOString(),
  };
}
