import { z } from "zod";
import { cell, instant, outcome, range } from "./share.ts";

export const attemptRecord = z
  .object({
    eventId: z.string(),
    occurredAt: instant,
    provider: z.string(),
    model: z.string(),
    endpoint: z.string(),
    source: z.string(),
    account: z.string(),
    chain: z.string(),
    outcome,
    httpStatus: z.int().nullable(),
    error: z
      .object({ type: z.string().optional(), code: z.string().optional(), message: z.string().optional() })
      .nullable(),
    rule: z
      .string()
      .nullable()
      .describe("Which rule named the outcome; null where the sender did, or nothing failed."),
    latencyMs: z.int().nullable(),
    firstTokenMs: z.int().nullable(),
    inputTokens: z.int().nullable(),
    outputTokens: z.int().nullable(),
    requestId: z.string().nullable(),
    attempt: z.int().nullable(),
    isFinal: z.boolean(),
    position: z.int().nullable(),
    inFlight: z.int().nullable(),
    retryAfterMs: z.int().nullable(),
    servedModel: z.string().nullable(),
    isStream: z.boolean().nullable(),
  })
  .meta({ id: "AttemptRecord" });

export const attemptsAnswer = z
  .object({
    range,
    attempts: z.array(attemptRecord).describe("Newest first."),
    next: z.string().nullable().describe("Give it as `cursor` for the page after; null on the last."),
  })
  .meta({ id: "AttemptPage" });

export const modelRecord = z
  .object({
    provider: z.string(),
    model: z.string(),
    endpoint: z.string(),
    attempts: z.number(),
    requests: z.number(),
    capacity: cell,
    firstSeen: instant.nullable(),
    lastSeen: instant.nullable(),
  })
  .meta({ id: "ModelRecord" });

export const modelsAnswer = z.object({ range, models: z.array(modelRecord) }).meta({ id: "Models" });

export const sourceWay = z
  .object({
    via: z
      .enum(["events", "otlp", "litellm"])
      .describe("As events of our own, as OpenTelemetry's spans, or from LiteLLM's callback."),
    instrument: z.string().describe("Name of the spans' instrumentation scope; else empty."),
    lastReceivedAt: instant,
    calls: z.number().describe("Attempts, ever."),
    failures: z.number().describe("Of these, the ones that were not ok."),
    blindSpots: z
      .array(
        z.object({
          code: z
            .enum(["hidesRetries", "omitsFailures"])
            .describe(
              "hidesRetries: a failed attempt that was tried again leaves no record. omitsFailures: a call that fails leaves none.",
            ),
          certainty: z.enum(["known", "likely"]),
        }),
      )
      .describe("What this way does not show; docs/opentelemetry.md has the remedies."),
  })
  .meta({ id: "SourceWay" });

export const sourceRecord = z
  .object({
    source: z.string().describe("Empty for events that name none, and for rejected ones that stand alone."),
    attempts: z.number().describe("In the range."),
    capacity: cell,
    failures: cell.describe("Share of everything but ok."),
    lastEventAt: instant.nullable(),
    lastReceivedAt: instant.nullable(),
    accepted: z.number().describe("Ever, as are duplicates and rejected; a few seconds behind."),
    duplicates: z.number(),
    rejected: z.number(),
    dropped: z
      .number()
      .describe("Lost by the source's reporters before they could be sent, as they say; ever."),
    lastDroppedAt: instant.nullable().describe("When more of that was last heard of."),
    clockOffsetMs: z.number().nullable().describe("Far above 0: the source's clock runs ahead."),
    lastRejection: z.object({ at: instant, pointer: z.string(), detail: z.string() }).nullable(),
    ways: z.array(sourceWay).describe("Which ways its attempts came, most used first; a few seconds behind."),
  })
  .meta({ id: "SourceRecord" });

export const sourcesAnswer = z.object({ range, sources: z.array(sourceRecord) }).meta({ id: "Sources" });

export type AttemptRecord = z.infer<typeof attemptRecord>;
export type AttemptPage = z.infer<typeof attemptsAnswer>;
export type Models = z.infer<typeof modelsAnswer>;
export type Sources = z.infer<typeof sourcesAnswer>;
