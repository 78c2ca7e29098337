import type { Request, Response } from "express";
import { z } from "zod";
import type { Sql } from "../../db/connect.ts";
import type { Db } from "../../db/drizzle.ts";
import { planDocument } from "../contract/plan.ts";
import * as contract from "../contract/plan-routes.ts";
import { nextCursor, readCursor } from "../http/cursor.ts";
import { invalidBody } from "../http/parse.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { diffPlans } from "./diff-plans.ts";
import { findNewest, findPublished, findVersion, getVersion, listVersions, toPlanVersion } from "./plans.ts";
import { draftPlan, publishPlan, rollBackPlan } from "./publish.ts";
import { isNamed, toPublished, versionOf } from "./published.ts";
import { createPublishedReader } from "./published-reader.ts";
import { listPublishedVersions } from "./queries.ts";
import { insertRehearsal, listRehearsals } from "./rehearsals.ts";
import { replayPlan } from "./replay.ts";
import { listRouters, noteHeartbeat } from "./routers.ts";
import type { PlanWatch } from "./watch.ts";

export interface PlanDeps {
  readonly db: Db;
  readonly sql: Sql;
  readonly watch: PlanWatch;
}

export function planRoutes(deps: PlanDeps): BoundRoute[] {
  return [...routersRoutes(deps), ...readingRoutes(deps), ...writingRoutes(deps)];
}

/** The JSON Schema of what people and programs may write. */
export function toPlanSchema(): Record<string, unknown> {
  const { id: _, ...schema } = z.toJSONSchema(planDocument, { io: "input", target: "draft-2020-12" });
  return { ...schema, title: "Busyhour plan" };
}

/** What routers themselves call. */
function routersRoutes({ db, sql, watch }: PlanDeps): BoundRoute[] {
  const schema = toPlanSchema();
  const reader = createPublishedReader({
    listPublished: (ids) => listPublishedVersions(sql, ids),
    findVersion: (projectId, version) => findVersion(db, projectId, version),
  });
  return [
    bindRoute(contract.getPublishedPlan, async ({ project, query, req, res }) => {
      const read = () => reader.read(project.id, query.chain);
      let found = await read();
      const isKnown = () => isNamed(req.headers["if-none-match"], found.etag);
      if (isKnown() && query.wait > 0) {
        // No connection to the database is held in the meantime.
        await watch.wait(project.id, found.plan.version, query.wait * 1_000, untilGone(res));
        if (res.destroyed) return found.plan;
        found = await read();
      }
      res.set("ETag", found.etag);
      // Who is told to ask again by a server that stops shall ask another one.
      if (watch.isClosed) res.set("Connection", "close");
      if (isKnown()) res.status(304).end();
      else res.type("json").send(found.text);
      return found.plan;
    }),
    bindRoute(contract.getPlanSchema, async () => schema),
    bindRoute(contract.postRouters, async ({ project, body, nowMs }) => {
      await noteHeartbeat(db, project.id, body, new Date(nowMs));
      return undefined;
    }),
    bindRoute(contract.postRehearsals, async ({ project, body, nowMs }) =>
      insertRehearsal(db, project.id, body, new Date(nowMs)),
    ),
  ];
}

function readingRoutes({ db, sql }: PlanDeps): BoundRoute[] {
  return [
    bindRoute(contract.getPlans, async ({ project, query }) => {
      const { limit } = query;
      const plans = await listVersions(db, project.id, {
        limit,
        before: readCursor(query.cursor, "integer"),
      });
      return { plans, next: nextCursor(plans, limit, ({ version }) => version) };
    }),
    bindRoute(contract.getPlan, async ({ project, query, res }) => {
      const published = await findPublished(db, project.id);
      const row = query.version === undefined ? published : await getVersion(db, project.id, query.version);
      if (row === null) return { plan: null };
      const { plan: document, etag } = toPublished(row);
      res.set("ETag", etag);
      return { plan: { ...toPlanVersion(row, published?.version ?? 0), document } };
    }),
    bindRoute(contract.getPlanDiff, async ({ project, query }) => {
      const find = async (version: number) =>
        version === 0 ? null : await getVersion(db, project.id, version);
      const base = query.base === undefined ? await findPublished(db, project.id) : await find(query.base);
      const other =
        query.version === undefined ? await findNewest(db, project.id) : await find(query.version);
      const [before, after] = [toPublished(base).plan, toPublished(other).plan];
      // Before the first plan there is no zone that could change.
      const from = base === null ? { ...before, timeZone: after.timeZone } : before;
      return { base: before.version, version: after.version, changes: diffPlans(from, after) };
    }),
    bindRoute(contract.postReplay, async ({ project, body, nowMs }) => {
      const { plan: published } = toPublished(await findPublished(db, project.id));
      const { document: candidate, chain } = body;
      return replayPlan(sql, { projectId: project.id, candidate, published, chain, nowMs });
    }),
    bindRoute(contract.getRouters, async ({ project, nowMs }) => {
      const row = await findPublished(db, project.id);
      const published =
        row === null || row.publishedAt === null
          ? null
          : { version: row.version, publishedAt: row.publishedAt };
      return {
        published:
          published === null ? null : { ...published, publishedAt: published.publishedAt.toISOString() },
        routers: await listRouters(db, project.id, published, nowMs),
      };
    }),
    bindRoute(contract.getRehearsals, async ({ project, query }) => {
      const { chain, limit } = query;
      const before = readCursor(query.cursor, "bigint");
      const rehearsals = await listRehearsals(db, project.id, { chain, limit, before });
      return { rehearsals, next: nextCursor(rehearsals, limit, ({ id }) => id) };
    }),
  ];
}

function writingRoutes({ db, watch }: PlanDeps): BoundRoute[] {
  return [
    bindRoute(contract.postPlans, async ({ project, body, req, occasion }) => {
      const { document, reason } = body;
      const basedOn = body.basedOn ?? versionOf(req.headers["if-match"]) ?? undefined;
      return draftPlan(db, project, { document, basedOn, reason }, occasion);
    }),
    bindRoute(contract.postPublication, async ({ project, body, req, occasion }) => {
      const { document, version, reason } = body;
      const what = document ?? version;
      if (what === undefined) throw new Error("a publication without document and version was let through");
      const made = await publishPlan(
        db,
        project,
        { what, basedOn: readBasedOn(body, req), reason },
        occasion,
      );
      watch.notice(project.id);
      return made;
    }),
    bindRoute(contract.postRollback, async ({ project, body, req, occasion }) => {
      const { version, reason } = body;
      const made = await rollBackPlan(
        db,
        project,
        { version, basedOn: readBasedOn(body, req), reason },
        occasion,
      );
      watch.notice(project.id);
      return made;
    }),
  ];
}

/** Who publishes says what they have seen, so that nobody undoes unawares what somebody else has just done. */
function readBasedOn({ basedOn }: { basedOn?: number | undefined }, req: Request): number {
  const known = basedOn ?? versionOf(req.headers["if-match"]);
  if (known !== null) return known;
  throw invalidBody([
    {
      pointer: "/basedOn",
      detail:
        "is missing: name the published version that this was made from, 0 for none; or send its ETag as If-Match",
    },
  ]);
}

/** Fires when the other end goes away. */
function untilGone(res: Response): AbortSignal {
  const gone = new AbortController();
  res.once("close", () => gone.abort());
  return gone.signal;
}
