import { and, desc, eq, gte, inArray, sql } from "drizzle-orm";
import type { Db } from "../../db/drizzle.ts";
import { routerInstance } from "../../db/schema/index.ts";
import type { Heartbeat, RouterInstance } from "../contract/router-instance.ts";
import { judgeTakeUp } from "./take-up.ts";

/** A router that was not heard of for this long is forgotten. */
export const ROUTER_DAYS = 7;
/** Of one project. Ids are made up by whoever calls, so somebody could make up many. */
const MAX_ROUTERS = 1_000;
const DAY_MS = 86_400_000;

/** Notes what a router says of itself. */
export async function noteHeartbeat(db: Db, projectId: number, beat: Heartbeat, at: Date): Promise<void> {
  const { instance, chain, planVersion, targets, problems } = beat;
  const said = {
    chain,
    source: beat.source ?? null,
    sdkVersion: beat.sdkVersion ?? null,
    planVersion,
    targets,
    problems,
    startedAt: new Date(beat.startedAt),
    lastSeenAt: at,
  };
  const [row] = await db
    .insert(routerInstance)
    .values({ projectId, instance, planSince: at, ...said })
    .onConflictDoUpdate({
      target: [routerInstance.projectId, routerInstance.instance],
      set: {
        ...said,
        planSince: sql`case when ${routerInstance.planVersion} is not distinct from excluded.plan_version
                            then ${routerInstance.planSince} else excluded.plan_since end`,
      },
    })
    .returning({ isNew: sql<boolean>`xmax = 0` });
  if (row?.isNew === true) await forgetBeyond(db, projectId);
}

async function forgetBeyond(db: Db, projectId: number): Promise<void> {
  const ofProject = eq(routerInstance.projectId, projectId);
  const beyond = db
    .select({ instance: routerInstance.instance })
    .from(routerInstance)
    .where(ofProject)
    .orderBy(desc(routerInstance.lastSeenAt), routerInstance.instance)
    .offset(MAX_ROUTERS);
  await db.delete(routerInstance).where(and(ofProject, inArray(routerInstance.instance, beyond)));
}

/** Those heard of last first. */
export async function listRouters(
  db: Db,
  projectId: number,
  published: { version: number; publishedAt: Date } | null,
  nowMs: number,
): Promise<RouterInstance[]> {
  const rows = await db
    .select()
    .from(routerInstance)
    .where(
      and(
        eq(routerInstance.projectId, projectId),
        gte(routerInstance.lastSeenAt, new Date(nowMs - ROUTER_DAYS * DAY_MS)),
      ),
    )
    .orderBy(desc(routerInstance.lastSeenAt), routerInstance.instance)
    .limit(MAX_ROUTERS);
  const inForce =
    published === null ? null : { version: published.version, publishedMs: published.publishedAt.getTime() };
  return rows.map((row) => ({
    instance: row.instance,
    chain: row.chain,
    source: row.source,
    sdkVersion: row.sdkVersion,
    startedAt: row.startedAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    planVersion: row.planVersion,
    planSince: row.planVersion === null ? null : row.planSince.toISOString(),
    state: judgeTakeUp(
      { planVersion: row.planVersion, lastSeenMs: row.lastSeenAt.getTime() },
      inForce,
      nowMs,
    ),
    problems: row.problems as RouterInstance["problems"],
    targets: row.targets as RouterInstance["targets"],
  }));
}
