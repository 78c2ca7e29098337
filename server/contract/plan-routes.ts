import { z } from "zod";
import { forAdmins, forAnyKey, forReaders, forSenders } from "./callers.ts";
import * as plan from "./plan.ts";
import * as query from "./query.ts";
import { replayAnswer, replayRequest } from "./replay.ts";
import { defineRoute, type RouteContract } from "./route.ts";
import * as router from "./router-instance.ts";

const version = z.coerce.number().int().min(0).max(1_000_000_000);
const page = {
  limit: z.coerce.number().int().min(1).max(500).default(100),
  cursor: z.string().max(200).optional().describe("`next` of the page before."),
};

/** Longest that a router may wait for news in one request. */
export const MAX_WAIT_SECONDS = 30;

export const getPublishedPlan = defineRoute({
  method: "get",
  path: "/v1/plan",
  summary: "The published plan, for routers: with ETag, 304, and waiting for the next one.",
  access: forAnyKey,
  query: z.object({
    ...query.project,
    chain: z.string().min(1).max(200).optional().describe("This chain alone."),
    wait: z.coerce
      .number()
      .int()
      .min(0)
      .max(MAX_WAIT_SECONDS)
      .default(0)
      .describe("Seconds to wait for another version than the one of If-None-Match before 304 is answered."),
  }),
  answer: {
    status: 200,
    description: "The plan; version 0 and no chains when nothing was published yet.",
    schema: plan.publishedPlan,
  },
});

export const getPlanSchema = defineRoute({
  method: "get",
  path: "/plan.schema.json",
  summary: "JSON Schema of the plan document.",
  access: "public",
  answer: { status: 200, description: "Draft 2020-12.", schema: z.record(z.string(), z.unknown()) },
});

export const postRouters = defineRoute({
  method: "post",
  path: "/v1/routers",
  summary: "A running router says which plan it runs and how its targets are.",
  access: { ...forAnyKey, role: "editor" },
  audit: [],
  query: query.projectQuery,
  body: { kind: "json", schema: router.heartbeat },
  answer: { status: 204, description: "Noted." },
});

export const postRehearsals = defineRoute({
  method: "post",
  path: "/v1/rehearsals",
  summary: "Record how the targets of a chain did in a rehearsal.",
  access: forSenders,
  audit: [],
  query: query.projectQuery,
  body: { kind: "json", schema: router.newRehearsal },
  answer: { status: 201, description: "Recorded.", schema: router.rehearsal },
});

export const getPlans = defineRoute({
  method: "get",
  path: "/api/plans",
  summary: "Versions of the plan, drafts included, newest first, in pages.",
  access: forReaders,
  query: z.object({ ...query.project, ...page }),
  answer: { status: 200, description: "A page, without documents.", schema: plan.plansAnswer },
});

export const postPlans = defineRoute({
  method: "post",
  path: "/api/plans",
  summary: "Keep a draft: a version that no router gets before it is published.",
  access: { ...forAdmins, role: "editor" },
  audit: ["plan.drafted"],
  query: query.projectQuery,
  body: { kind: "json", schema: plan.newPlan },
  answer: { status: 201, description: "The version.", schema: plan.planVersion },
});

export const getPlan = defineRoute({
  method: "get",
  path: "/api/plans/version",
  summary: "One version with its document; the published one when none is named.",
  access: forReaders,
  query: z.object({ ...query.project, version: version.optional() }),
  answer: { status: 200, description: "The version; null before the first one.", schema: plan.planAnswer },
});

export const getPlanDiff = defineRoute({
  method: "get",
  path: "/api/plans/diff",
  summary: "What changes from one version to another.",
  access: forReaders,
  query: z.object({
    ...query.project,
    base: version.optional().describe("The published version when left out; 0: before the first one."),
    version: version.optional().describe("The newest one when left out."),
  }),
  answer: { status: 200, description: "The changes.", schema: plan.planDiff },
});

export const postPublication = defineRoute({
  method: "post",
  path: "/api/plans/publish",
  summary: "Publish a document or a draft, with a reason. Routers take it up within seconds.",
  access: forAdmins,
  audit: ["plan.published"],
  query: query.projectQuery,
  body: { kind: "json", schema: plan.publication },
  answer: { status: 201, description: "The published version.", schema: plan.planVersion },
});

export const postRollback = defineRoute({
  method: "post",
  path: "/api/plans/rollback",
  summary: "Publish an earlier version again, as a new one.",
  access: forAdmins,
  audit: ["plan.rolledBack"],
  query: query.projectQuery,
  body: { kind: "json", schema: plan.rollback },
  answer: { status: 201, description: "The new version.", schema: plan.planVersion },
});

export const postReplay = defineRoute({
  method: "post",
  path: "/api/plans/replay",
  summary: "What a plan would have made of the last seven days, against the published one: an estimate.",
  access: forReaders,
  audit: [],
  query: query.projectQuery,
  body: { kind: "json", schema: replayRequest },
  answer: { status: 200, description: "Per chain and target.", schema: replayAnswer },
});

export const getRouters = defineRoute({
  method: "get",
  path: "/api/routers",
  summary: "Running routers: which version each has taken up, and how its targets are.",
  access: forReaders,
  query: query.projectQuery,
  answer: { status: 200, description: "The routers of the last 7 days.", schema: router.routersAnswer },
});

export const getRehearsals = defineRoute({
  method: "get",
  path: "/api/rehearsals",
  summary: "Rehearsals, newest first, in pages.",
  access: forReaders,
  query: z.object({ ...query.project, chain: query.seriesFilter.chain, ...page }),
  answer: { status: 200, description: "A page.", schema: router.rehearsalsAnswer },
});

/** Plans, and the routers that run them. */
export const PLAN_ROUTES: readonly RouteContract[] = [
  getPublishedPlan,
  getPlanSchema,
  postRouters,
  postRehearsals,
  getPlans,
  postPlans,
  getPlan,
  getPlanDiff,
  postPublication,
  postRollback,
  postReplay,
  getRouters,
  getRehearsals,
];
