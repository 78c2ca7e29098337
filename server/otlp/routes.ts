import type { Sql } from "../../db/connect.ts";
import type { IngestLimit } from "../access/ingest-limit.ts";
import { MAX_EVENTS_PER_REQUEST } from "../contract/attempt-event.ts";
import * as contract from "../contract/routes.ts";
import { AppError } from "../http/app-error.ts";
import { decodeBody } from "../http/body.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { toUuid } from "../ingest/event-id.ts";
import type { Ingest } from "../ingest/ingest.ts";
import { BadEvent } from "../ingest/read-events.ts";
import { encodingOf, PROTOBUF, sendAnswer, sendStatus, toPartialSuccess } from "./answer.ts";
import { type CollectedCall, collectCalls } from "./collect-calls.ts";
import { decodeJson } from "./decode-json.ts";
import { decodeProtobuf } from "./decode-protobuf.ts";
import { deleteAttempts } from "./queries.ts";
import type { ReceivedSpan } from "./span.ts";
import { createSpanMemory, type SpanMemory } from "./span-memory.ts";

export interface OtlpDeps {
  readonly ingest: Ingest;
  readonly limit: IngestLimit;
  readonly sql: Sql;
  /** Called after attempts were removed. */
  readonly onRemoved: () => void;
}

/** What a span calls the fields that an event has. */
const POINTERS = { "/occurredAt": "/startTimeUnixNano", "/provider": "/attributes", "/model": "/attributes" };

export function otlpRoutes({ ingest, limit, sql, onRemoved }: OtlpDeps): BoundRoute[] {
  const memory = createSpanMemory();
  return [
    bindRoute(
      contract.postTraces,
      async ({ principal, project, body, req, res }) => {
        const spans = readSpans(body, encodingOf(req));
        const calls = collectCalls(spans, (isCall) => memory.add(project.id, spans, isCall));
        assertFew(calls);
        limit.spend(principal, calls.length);
        const storing = ingest(project.id, {
          format: "otlp",
          note: null,
          events: calls.map(({ event }) => event),
          ways: calls.map(({ way }) => way),
          pointers: POINTERS,
        });
        rememberAll(memory, project.id, calls, storing);
        const { rejected } = await storing;
        await memory.removeOutdated(project.id, async (outdated) => {
          await deleteAttempts(sql, project.id, outdated);
          onRemoved();
        });
        sendAnswer(req, res, toPartialSuccess(rejected));
        return {};
      },
      sendStatus,
    ),
  ];
}

function rememberAll(
  memory: SpanMemory,
  projectId: number,
  calls: readonly CollectedCall[],
  storing: Promise<unknown>,
): void {
  for (const { span, event } of calls) {
    if (event instanceof BadEvent || event.eventId === undefined) continue;
    const stored = { occurredAtMs: Number(event.occurredAt), eventId: toUuid(event.eventId) };
    memory.remember(projectId, span, stored, storing);
  }
}

/** An empty body is a request without spans, in either encoding. */
function readSpans(body: Buffer, encoding: ReturnType<typeof encodingOf>): ReceivedSpan[] {
  if (body.length === 0) return [];
  try {
    return encoding === PROTOBUF ? decodeProtobuf(body) : decodeJson(JSON.parse(decodeBody(body)));
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The decoders' own words may quote what was sent.
    throw new AppError({
      status: 400,
      code: "invalid_otlp",
      title: "The body is no OTLP trace request",
      detail: `It is not the ${encoding} of an ExportTraceServiceRequest. Nothing of it was stored.`,
    });
  }
}

function assertFew(calls: readonly CollectedCall[]): void {
  if (calls.length <= MAX_EVENTS_PER_REQUEST) return;
  throw new AppError({
    status: 413,
    code: "too_many_events",
    title: "Too many events",
    detail: `${calls.length} model calls in one request; at most ${MAX_EVENTS_PER_REQUEST} are taken. Send smaller batches (OTEL_BSP_MAX_EXPORT_BATCH_SIZE, or send_batch_max_size of the collector).`,
  });
}
