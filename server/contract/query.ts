import { z } from "zod";
import { AUDIT_ACTIONS } from "./audit.ts";
import { countKind, outcome, step } from "./share.ts";

/** PostgreSQL cannot hold a NUL, and no label has a control character. */
const plain = z.string().regex(/^\P{Cc}*$/u, "must be without control characters");
const text = plain.min(1).max(200);

/** Times in queries: ISO 8601 with an offset, or epoch milliseconds. */
const time = z.string().max(64).describe("ISO 8601 with an offset, or epoch milliseconds.");

export const seriesFilter = {
  provider: text.optional(),
  model: text.optional(),
  endpoint: plain.max(200).optional(),
  source: plain.max(100).optional(),
  chain: plain.max(100).optional(),
};

export const project = {
  project: text
    .optional()
    .describe("Slug of the project. A key belongs to one already; others take the default project."),
};

export const timeRange = {
  from: time.optional(),
  to: time.optional(),
};

export const zone = {
  zone: z.string().max(64).optional().describe("IANA zone; the project's own when left out."),
};

export const rangeQuery = z.object({ ...project, ...seriesFilter, ...timeRange });

export const shareQuery = z.object({
  ...project,
  ...seriesFilter,
  ...timeRange,
  ...zone,
  count: countKind.default("attempts"),
  outcome: outcome.default("capacity"),
});

export const nowQuery = z.object({
  ...project,
  ...seriesFilter,
  ...zone,
  count: countKind.default("attempts"),
});

export const pointsQuery = z.object({
  ...project,
  ...seriesFilter,
  ...timeRange,
  ...zone,
  step: step.optional(),
});

export const attemptsQuery = z.object({
  ...project,
  ...seriesFilter,
  ...timeRange,
  outcome: outcome.optional(),
  requestId: text.optional(),
  eventId: text.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  cursor: z.string().max(200).optional().describe("`next` of the page before."),
});

export const auditFilter = {
  ...timeRange,
  q: plain.max(100).optional().describe("In the name of who did it, or of what it was done to."),
  action: z.enum(AUDIT_ACTIONS).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  cursor: z.string().max(200).optional().describe("`next` of the page before."),
};

export const projectQuery = z.object(project);
