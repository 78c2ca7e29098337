import { z } from "zod";
import { forReaders } from "./callers.ts";
import { locale } from "./diagnosis.ts";
import * as query from "./query.ts";
import { defineRoute, type RouteContract } from "./route.ts";

/** Formats of a plan's chain, then those of advised windows. */
export const PLAN_FORMATS = ["json", "litellm", "portkey", "openrouter", "vercel"] as const;
export const WINDOW_FORMATS = ["crontab", "kubernetes"] as const;
export const EXPORT_FORMATS = [...PLAN_FORMATS, ...WINDOW_FORMATS] as const;

export const exportAnswer = z
  .object({
    format: z.enum(EXPORT_FORMATS),
    fileName: z.string(),
    mediaType: z.string(),
    content: z.string().describe("The file."),
    planVersion: z.number().int().nullable().describe("Of the plan that it was made from; null: of advice."),
    losses: z
      .array(z.object({ loss: z.string(), says: z.string() }))
      .describe("What the format cannot express of it."),
  })
  .meta({ id: "ExportedFile" });

export const getExport = defineRoute({
  method: "get",
  path: "/api/exports/:format",
  summary: "The published plan as another gateway reads it, or advised windows as timers; and what is lost.",
  access: forReaders,
  params: z.object({
    format: z
      .string()
      .max(20)
      .describe(`One of ${EXPORT_FORMATS.join(", ")}.`),
  }),
  query: z.object({
    ...query.project,
    chain: query.seriesFilter.chain.describe("Which chain of the plan; its only one, or default."),
    at: z
      .string()
      .max(20)
      .optional()
      .describe(
        "base: the order outside of all windows; a number: that entry of the schedule; now; or blend.",
      ),
    model: query.seriesFilter.model.describe("Windows of this model alone."),
    hours: z.coerce.number().int().min(1).max(12).default(3).describe("Length of windows."),
    allowed: z.string().max(8).optional().describe("Hours in which work may run, like 8-20."),
    ...query.zone,
    locale,
  }),
  answer: { status: 200, description: "The file and what it leaves out.", schema: exportAnswer },
});

export const EXPORT_ROUTES: readonly RouteContract[] = [getExport];
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export type ExportAnswer = z.infer<typeof exportAnswer>;
