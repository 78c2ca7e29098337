import { createReporter, observe } from "@busyhour/sdk";

export type HookName = "bare" | "observe" | "opentelemetry";

/** A fetch with one way of watching it, and the means to send what was seen. */
export interface Hook {
  readonly fetch: typeof fetch;
  flush(): Promise<void>;
}

/** @param url of the server that takes reports and spans */
export async function createHook(name: HookName, url: string): Promise<Hook> {
  if (name === "bare") return { fetch, flush: async () => {} };
  if (name === "opentelemetry") return createOpenTelemetryHook(url);
  const reporter = createReporter({ url, key: "bench", source: "bench" });
  return { fetch: observe(fetch, { report: reporter.report }), flush: () => reporter.flush() };
}

/** As its documentation sets it up: undici's instrumentation, a batch processor, OTLP as protobuf. */
async function createOpenTelemetryHook(url: string): Promise<Hook> {
  const [{ UndiciInstrumentation }, { NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }] =
    await Promise.all([
      import("@opentelemetry/instrumentation-undici"),
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-proto"),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces` });
  const processor = new BatchSpanProcessor(exporter);
  const provider = new NodeTracerProvider({ spanProcessors: [processor] });
  provider.register();
  const instrumentation = new UndiciInstrumentation();
  instrumentation.setTracerProvider(provider);
  instrumentation.enable();
  return { fetch, flush: () => processor.forceFlush() };
}
