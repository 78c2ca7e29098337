import { ROOT_CONTEXT, type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { CompressionAlgorithm } from "@opentelemetry/otlp-exporter-base";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type ReadableSpan, TracerProvider } from "@opentelemetry/sdk-trace";
import { describe, expect, it } from "vitest";
import { startTestServer } from "../support/server.ts";
import { EXPECTED, SCRIPT, T0 } from "./script.ts";

const api = await startTestServer();
const { key } = await api.createKey("ingest");

type Exporter = ConstructorParameters<typeof BatchSpanProcessor>[0]["exporter"];

/** Records the script and exports it; `batch` is how many spans go in one request. */
async function playScript(exporter: Exporter, service: string, batch = 512): Promise<ReadableSpan[]> {
  const exported: ReadableSpan[] = [];
  const results: unknown[] = [];
  const watched: Exporter = {
    export(spans, done) {
      exported.push(...spans);
      exporter.export(spans, (result) => {
        results.push(result);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service, "host.name": "secret-host" }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watched,
        maxExportBatchSize: batch,
        scheduledDelayMillis: 3_600_000,
      }),
    ],
  });
  const named = new Map<string, Span>();
  const ends: [number, Span][] = [];
  for (const { name, scope = "my.app", kind, at, ms, attributes, fails, under, as } of SCRIPT) {
    const parent = under === undefined ? undefined : named.get(under);
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
    const span = provider
      .getTracer(scope, "1.0.0")
      .startSpan(name, { startTime: T0 + at, attributes, ...(kind === undefined ? {} : { kind }) }, context);
    if (fails !== undefined) {
      span.recordException(
        { name: fails.type, message: fails.message, stack: "at a secret place" },
        T0 + at + ms,
      );
      span.setStatus({ code: SpanStatusCode.ERROR, message: fails.message });
    }
    if (as !== undefined) named.set(as, span);
    ends.push([T0 + at + ms, span]);
  }
  for (const [end, span] of ends.sort(([a], [b]) => a - b)) span.end(end);
  await provider.forceFlush();
  await provider.shutdown();
  expect(results).toEqual(results.map(() => ({ code: 0 })));
  return exported;
}

const listStored = async (source: string) => {
  const { attempts } = await api.get(`/api/attempts?source=${source}&from=${T0 - 1}`);
  return attempts.reverse();
};

const expected: Record<string, unknown>[] = EXPECTED.map(({ at, ...parts }) => ({
  ...parts,
  occurredAt: new Date(T0 + at).toISOString(),
}));

const headers = { authorization: `Bearer ${key}` };
const url = `${api.url}/v1/traces`;
const exporters: readonly [name: string, create: (compression: CompressionAlgorithm) => Exporter][] = [
  ["http/protobuf", (compression) => new ProtobufExporter({ url, headers, compression })],
  ["http/json", (compression) => new JsonExporter({ url, headers, compression })],
];

describe("OpenTelemetry's own exporter", () => {
  for (const [name, create] of exporters) {
    for (const compression of [CompressionAlgorithm.NONE, CompressionAlgorithm.GZIP]) {
      it(`of ${name}, ${compression} packing, stores each model call of the script and nothing else`, async () => {
        const source = `${name} ${compression}`;
        await playScript(create(compression), source);
        const stored = await listStored(encodeURIComponent(source));
        expect(stored).toHaveLength(expected.length);
        expect(stored).toMatchObject(expected);
        expect(JSON.stringify(stored)).not.toContain("secret");
        const retried = stored.filter((attempt: { model: string }) => attempt.model === "gemini-x");
        expect(retried[0].requestId).toEqual(retried[1].requestId);
      });
    }
  }

  it("stores the same when each span comes in a request of its own", async () => {
    const source = "one by one";
    await playScript(new ProtobufExporter({ url, headers }), source, 1);
    const stored = await listStored("one by one");
    // Whether an attempt was tried again is told only within a request.
    const apart = expected.map(({ attempt: _, isFinal: __, ...parts }) => parts);
    expect(stored).toMatchObject(apart);
    expect(stored).toHaveLength(apart.length);
    await api.catchUp();
    const { total } = await api.get("/api/overview?source=one by one");
    expect(total.attempts).toBe(apart.length);
  });

  it("changes nothing by sending again", async () => {
    const exporter = new JsonExporter({ url, headers });
    const spans = await playScript(new ProtobufExporter({ url, headers }), "again");
    const before = await listStored("again");
    await new Promise((resolve) => exporter.export(spans, resolve));
    expect(await listStored("again")).toEqual(before);
    await exporter.shutdown();
  });
});

describe("/api/sources", () => {
  it("marks instruments that hide retries or never report failures", async () => {
    const provider = (exporter: Exporter) =>
      new TracerProvider({
        resource: resourceFromAttributes({ "service.name": "blind" }),
        spanProcessors: [new BatchSpanProcessor({ exporter })],
      });
    const tracers = provider(new ProtobufExporter({ url, headers }));
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "m",
    };
    for (const scope of ["@traceloop/instrumentation-openai", "ai", "ai"]) {
      tracers
        .getTracer(scope)
        .startSpan("chat", { startTime: T0, attributes })
        .end(T0 + 1);
    }
    await tracers.shutdown();
    await api.server.core.flushSources();
    const { sources } = await api.get("/api/sources");
    const blind = sources.find(({ source }: { source: string }) => source === "blind");
    expect(blind.ways).toEqual([
      {
        via: "otlp",
        instrument: "ai",
        lastReceivedAt: expect.any(String),
        calls: 2,
        failures: 0,
        blindSpots: [],
      },
      {
        via: "otlp",
        instrument: "@traceloop/instrumentation-openai",
        lastReceivedAt: expect.any(String),
        calls: 1,
        failures: 0,
        blindSpots: [
          { code: "hidesRetries", certainty: "known" },
          { code: "omitsFailures", certainty: "known" },
        ],
      },
    ]);
  });
});
