import { z } from "zod";
import * as access from "./access.ts";
import { ACCESS_ROUTES } from "./access-routes.ts";
import { ADVICE_ROUTES } from "./advice-routes.ts";
import { ALERT_ROUTES } from "./alert-routes.ts";
import {
  attemptEvents,
  ingestAnswer,
  litellmAnswer,
  MAX_FOREIGN_BODY_BYTES,
  traceAnswer,
} from "./attempt-event.ts";
import { forAdmins, forAnyKey, forOwners, forReaders, forSenders } from "./callers.ts";
import { CHANNEL_ROUTES } from "./channel-routes.ts";
import * as classification from "./classification.ts";
import { EXPORT_ROUTES } from "./exports.ts";
import { JOB_ROUTES } from "./job-routes.ts";
import * as listing from "./listing.ts";
import * as now from "./now.ts";
import { PEOPLE_ROUTES } from "./people-routes.ts";
import { PLAN_ROUTES } from "./plan-routes.ts";
import * as query from "./query.ts";
import { REPORT_ROUTES } from "./report-routes.ts";
import { defineRoute, type RouteContract } from "./route.ts";
import * as share from "./share.ts";
import { STATUS_ROUTES } from "./status-routes.ts";

export const postAttempts = defineRoute({
  method: "post",
  path: "/v1/attempts",
  summary: "Record attempts: JSON or NDJSON, plain or compressed.",
  access: forSenders,
  audit: [],
  query: query.projectQuery,
  body: {
    kind: "raw",
    mediaTypes: ["application/json", "application/x-ndjson"],
    schema: attemptEvents,
  },
  answer: {
    status: 202,
    description: "Committed. Rejected events come with their reason.",
    schema: ingestAnswer,
  },
});

export const postTraces = defineRoute({
  method: "post",
  path: "/v1/traces",
  summary:
    "Record the model calls among the spans of an OTLP/HTTP export: protobuf or JSON, plain or compressed.",
  access: forSenders,
  audit: [],
  query: query.projectQuery,
  body: {
    kind: "raw",
    mediaTypes: ["application/json", "application/x-protobuf"],
    schema: z
      .object({ resourceSpans: z.array(z.unknown()).optional() })
      .meta({ id: "ExportTraceServiceRequest" }),
    maxBytes: MAX_FOREIGN_BODY_BYTES,
  },
  answer: {
    status: 200,
    description: "Committed, in the encoding of the request. Errors are a google.rpc.Status in it.",
    schema: traceAnswer,
  },
});

export const postLitellm = defineRoute({
  method: "post",
  path: "/v1/litellm",
  summary: "Record what LiteLLM's generic callback sends: one payload, an array of them, or one per line.",
  access: forSenders,
  audit: [],
  query: z.object({ ...query.project, source: query.seriesFilter.source }),
  body: {
    kind: "raw",
    mediaTypes: ["application/json", "application/x-ndjson"],
    schema: z.unknown().meta({ id: "LitellmPayloads" }),
    maxBytes: MAX_FOREIGN_BODY_BYTES,
  },
  answer: {
    status: 202,
    description: "Committed. Rejected payloads come with their reason.",
    schema: litellmAnswer,
  },
});

export const getLimits = defineRoute({
  method: "get",
  path: "/v1/limits",
  summary: "What is taken: age, size, number.",
  access: forAnyKey,
  query: query.projectQuery,
  answer: { status: 200, description: "The limits.", schema: access.limitsAnswer },
});

export const getOverview = defineRoute({
  method: "get",
  path: "/api/overview",
  summary: "Figures per target over a range, against the period before. Default: the last 24 hours.",
  access: forReaders,
  query: query.rangeQuery,
  answer: { status: 200, description: "The figures.", schema: share.overviewAnswer },
});

export const getNow = defineRoute({
  method: "get",
  path: "/api/now",
  summary: "Per target: its share of capacity errors now and in the last 24 hours, beside what is usual.",
  access: forReaders,
  query: query.nowQuery,
  answer: { status: 200, description: "The targets, most calls first.", schema: now.nowAnswer },
});

export const getHeatmap = defineRoute({
  method: "get",
  path: "/api/heatmap",
  summary: "Share of an outcome by hour of week. Default: capacity errors of the last 28 days.",
  access: forReaders,
  query: query.shareQuery,
  answer: { status: 200, description: "168 cells, Monday 00:00 first.", schema: share.heatmapAnswer },
});

export const getCalendar = defineRoute({
  method: "get",
  path: "/api/calendar",
  summary: "Share of an outcome by date and hour. Default: the last 28 days.",
  access: forReaders,
  query: query.shareQuery,
  answer: { status: 200, description: "A row of hours per date.", schema: share.calendarAnswer },
});

export const getSeries = defineRoute({
  method: "get",
  path: "/api/series",
  summary: "Counts, shares and latency over time. Default: the last 24 hours.",
  access: forReaders,
  query: query.pointsQuery,
  answer: { status: 200, description: "A point per step, gaps included.", schema: share.pointsAnswer },
});

export const getAttempts = defineRoute({
  method: "get",
  path: "/api/attempts",
  summary: "Raw attempts, newest first, in pages. Default: the last 24 hours.",
  access: { ...forReaders, scope: "attempts" },
  query: query.attemptsQuery,
  answer: { status: 200, description: "A page.", schema: listing.attemptsAnswer },
});

export const getModels = defineRoute({
  method: "get",
  path: "/api/models",
  summary: "Targets that were ever called, with their figures. Default range: the last 28 days.",
  access: forReaders,
  query: query.rangeQuery,
  answer: { status: 200, description: "The targets.", schema: listing.modelsAnswer },
});

export const getSources = defineRoute({
  method: "get",
  path: "/api/sources",
  summary: "Who sends, how much, and what was rejected. Default range: the last 24 hours.",
  access: forReaders,
  query: query.rangeQuery,
  answer: { status: 200, description: "The sources.", schema: listing.sourcesAnswer },
});

export const postSample = defineRoute({
  method: "post",
  path: "/api/sample",
  summary: "Make the sample project: eight weeks of made traffic, clearly marked.",
  access: forOwners,
  audit: ["sample.created"],
  answer: { status: 201, description: "The project.", schema: access.sampleAnswer },
});

export const getSample = defineRoute({
  method: "get",
  path: "/api/sample",
  summary: "Whether there is a sample project, and how far the making of one has come.",
  access: forOwners,
  answer: { status: 200, description: "Its state.", schema: access.sampleState },
});

export const deleteSample = defineRoute({
  method: "delete",
  path: "/api/sample",
  summary: "Remove the sample project and all of its data.",
  access: forOwners,
  audit: ["sample.removed"],
  answer: { status: 204, description: "It is gone." },
});

export const postRebuilds = defineRoute({
  method: "post",
  path: "/api/rebuilds",
  summary: "Recompute rollups from raw attempts.",
  access: forAdmins,
  audit: ["rollups.rebuilt"],
  query: query.projectQuery,
  body: { kind: "json", schema: access.rebuildRequest },
  answer: { status: 202, description: "Queued.", schema: access.rebuildAnswer },
});

export const postSecretRotations = defineRoute({
  method: "post",
  path: "/api/secret-rotations",
  summary: "Encrypt all stored secrets anew, with a new key.",
  access: forOwners,
  audit: ["secrets.rotated"],
  answer: { status: 200, description: "How many there were.", schema: access.secretRotation },
});

export const getClassificationRules = defineRoute({
  method: "get",
  path: "/api/classification-rules",
  summary: "The project's own rules by which failures are named.",
  access: forReaders,
  query: query.projectQuery,
  answer: { status: 200, description: "The rules.", schema: classification.classificationRules },
});

export const putClassificationRules = defineRoute({
  method: "put",
  path: "/api/classification-rules",
  summary: "Replace the project's own rules. They hold for what arrives from now on.",
  access: forAdmins,
  audit: ["rules.replaced"],
  query: query.projectQuery,
  body: { kind: "json", schema: classification.classificationRules },
  answer: {
    status: 200,
    description: "The rules as they are now.",
    schema: classification.classificationRules,
  },
});

export const postReclassifications = defineRoute({
  method: "post",
  path: "/api/reclassifications",
  summary: "Name stored failures anew by today's rules, some thousands a call.",
  access: forAdmins,
  audit: ["outcomes.renamed"],
  query: query.projectQuery,
  body: { kind: "json", schema: classification.reclassifyRequest },
  answer: {
    status: 200,
    description: "What changed, and where to go on.",
    schema: classification.reclassifyAnswer,
  },
});

export const getHealth = defineRoute({
  method: "get",
  path: "/healthz",
  summary: "The process is alive.",
  access: "public",
  answer: { status: 200, description: "Alive.", schema: z.object({ status: z.literal("ok") }) },
});

export const getReady = defineRoute({
  method: "get",
  path: "/readyz",
  summary: "The database answers, so requests will succeed.",
  access: "public",
  answer: { status: 200, description: "Ready.", schema: z.object({ status: z.literal("ready") }) },
});

export const getOpenApi = defineRoute({
  method: "get",
  path: "/openapi.json",
  summary: "This document.",
  access: "public",
  answer: { status: 200, description: "OpenAPI 3.1.", schema: z.record(z.string(), z.unknown()) },
});

/** Every route there is. What is not in this list is not served, and what is in it is documented and walled. */
export const ROUTES: readonly RouteContract[] = [
  postAttempts,
  postTraces,
  postLitellm,
  getLimits,
  getOverview,
  getNow,
  getHeatmap,
  getCalendar,
  getSeries,
  getAttempts,
  getModels,
  getSources,
  ...ADVICE_ROUTES,
  ...ALERT_ROUTES,
  ...EXPORT_ROUTES,
  ...PLAN_ROUTES,
  ...JOB_ROUTES,
  ...REPORT_ROUTES,
  ...CHANNEL_ROUTES,
  ...ACCESS_ROUTES,
  ...PEOPLE_ROUTES,
  ...STATUS_ROUTES,
  postSample,
  getSample,
  deleteSample,
  postRebuilds,
  postSecretRotations,
  getClassificationRules,
  putClassificationRules,
  postReclassifications,
  getHealth,
  getReady,
  getOpenApi,
];
