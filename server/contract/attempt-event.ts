import { type AttemptEvent, OUTCOMES } from "@busyhour/sdk";
import { z } from "zod";

const MAX_INT4 = 2_147_483_647;
const MAX_INT2 = 32_767;
/** Sources that one note may name. */
const MAX_SOURCES_PER_NOTE = 100;

/** Escapes in JSON can spell what is no text: a NUL, which PostgreSQL cannot hold, and half of a surrogate pair. */
export function isWholeText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

const NOT_WHOLE = "holds U+0000 or half of a surrogate pair, as when a text is cut within a character";

const text = (max: number) => z.string().min(1).max(max).refine(isWholeText, NOT_WHOLE);

/** `null` means the same as leaving the field out: many languages send it. */
const label = (max: number) => text(max).nullish();
const count = z.int().min(0).max(MAX_INT4).nullish();
const small = (min: number) => z.int().min(min).max(MAX_INT2).nullish();
const milliseconds = z.number().min(0).max(MAX_INT4).nullish();

const attemptError = z.object({
  type: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  message: z.string().nullish(),
});

/** One attempt as it is sent. Unknown fields are ignored and counted; `null` counts as left out. */
export const attemptEvent = z
  .object({
    eventId: label(200).describe("Made by the source, a UUID is best. Sending it again changes nothing."),
    occurredAt: z
      .union([z.string().min(1).max(64), z.number()])
      .describe("Start of the attempt: ISO 8601 with an offset, or epoch milliseconds."),
    provider: text(100),
    model: text(200),
    outcome: z.enum(OUTCOMES).nullish(),
    httpStatus: z.int().min(100).max(999).nullish(),
    error: z.union([attemptError, z.string()]).nullish(),
    latencyMs: milliseconds,
    firstTokenMs: milliseconds,
    inputTokens: count,
    outputTokens: count,
    requestId: label(200).describe("What the caller wanted; all its attempts carry the same one."),
    attempt: small(1).describe("Number of the attempt within its request, from 1."),
    isFinal: z.boolean().nullish().describe("The last attempt of its request. Default: true."),
    chain: label(100),
    position: small(0).describe("Place of the target in the chain, from 0."),
    source: label(100).describe("The app or service that made the call."),
    endpoint: label(200).describe("Host or region."),
    inFlight: small(0),
    retryAfterMs: milliseconds,
    servedModel: label(200),
    isStream: z.boolean().nullish(),
    account: label(100).describe("A label of the key or subscription, never the key."),
  })
  .meta({ id: "AttemptEvent" });

/** What a reporter lost, beside the events it did not. Totals that only grow: hearing them twice changes nothing. */
export const reporterNote = z
  .object({
    id: text(200).describe("Made by the reporter when it begins; a UUID is best."),
    dropped: z
      .record(z.string().max(100).refine(isWholeText, NOT_WHOLE), z.int().min(0))
      .refine((counts) => Object.keys(counts).length <= MAX_SOURCES_PER_NOTE, {
        error: `holds more than ${MAX_SOURCES_PER_NOTE} sources`,
      })
      .describe("Events lost since the reporter began, by source; the empty name for those of none."),
  })
  .meta({ id: "ReporterNote" });

export type ReporterNote = z.infer<typeof reporterNote>;

/** An event after its types were checked. */
export type ReceivedEvent = z.infer<typeof attemptEvent>;

/** Every event that the SDK can make is one that the server takes; a change that breaks this does not compile. */
export type SdkEventIsAccepted = AttemptEvent extends ReceivedEvent ? true : never;
export const sdkEventIsAccepted: SdkEventIsAccepted = true;

export const MAX_EVENTS_PER_REQUEST = 10_000;
export const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Spans and LiteLLM's payloads come with prompts and answers, which are thrown away unread but must be received. */
export const MAX_FOREIGN_BODY_BYTES = 32 * 1024 * 1024;

/** A JSON body of `POST /v1/attempts`. */
export const attemptEvents = z
  .object({ attempts: z.array(attemptEvent), reporter: reporterNote.nullish() })
  .meta({ id: "AttemptEvents" });

export const rejection = z
  .object({
    index: z.int().min(0).describe("Place of the event in what was sent, from 0."),
    pointer: z
      .string()
      .describe("JSON Pointer to the fault: into the document for JSON, into the line for NDJSON."),
    detail: z.string().describe("What is wrong and how to mend it."),
  })
  .meta({ id: "Rejection" });

export const ingestAnswer = z
  .object({
    accepted: z.int().describe("Newly stored, and committed."),
    duplicates: z.int().describe("Already stored: the same time and id came before."),
    rejected: z.array(rejection),
    withoutEventId: z.int().describe("Events without an id: sending them again would store them twice."),
    unknownFields: z.record(z.string(), z.int()).describe("Fields that were ignored, with how often."),
  })
  .meta({ id: "IngestAnswer" });

export const litellmAnswer = ingestAnswer
  .extend({
    ignored: z
      .object({
        cacheHit: z.int().describe("Answered from LiteLLM's cache."),
        refusedByGateway: z.int().describe("Refused by LiteLLM itself: no provider was called."),
        noModelCall: z.int().describe("Files, batches and tools."),
      })
      .describe("Payloads that stand for no attempt at a provider."),
  })
  .meta({ id: "LitellmAnswer" });

export const traceAnswer = z
  .object({
    partialSuccess: z.object({ rejectedSpans: z.string(), errorMessage: z.string() }).optional(),
  })
  .meta({ id: "TraceAnswer" });

export type Rejection = z.infer<typeof rejection>;
export type IngestAnswer = z.infer<typeof ingestAnswer>;
