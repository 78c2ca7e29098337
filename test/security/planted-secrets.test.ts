import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { SpanKind, SpanStatusCode, TraceFlags, type Tracer } from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { attemptEvent } from "../../server/contract/attempt-event.ts";
import { ROUTES } from "../../server/contract/routes.ts";
import { READ_ATTRIBUTES } from "../../server/otlp/attributes.ts";
import { anEvent } from "../support/events.ts";
import { startTestServer } from "../support/server.ts";
import { importFile } from "./import.ts";
import { ANSWER, CORE, ECHOES, EVERYTHING, IDS, NEEDLES, PROMPT, TOKENS } from "./secrets.ts";

const logged: string[] = [];
const api = await startTestServer({
  log: pino({ level: "trace" }, { write: (line: string) => void logged.push(line) }),
});
const { sql } = api.database;
const { key } = await api.createKey("ingest");
const T0 = Date.parse("2026-11-29T11:00:00Z");

/** Every word that was answered or shown. */
const shown: string[] = [];
const send = async (where: string, body: string, type = "application/json", headers = {}) => {
  const response = await fetch(`${api.url}${where}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": type,
      "x-planted": TOKENS[1] ?? "",
      ...headers,
    },
    body,
  });
  shown.push(JSON.stringify([...response.headers]), await response.clone().text());
  return response;
};

let accepted = 0;
const count = async (response: Response) => {
  const answer = await response.json();
  expect(response.status).toBe(202);
  accepted += answer.accepted;
  return answer;
};

/** In a label (a name, a host) keys and mail addresses are found, and prose; an id may well be one's own name. */
const LABELS = ["provider", "model", "chain", "source", "endpoint", "account", "servedModel"];
const IN_LABELS = [...TOKENS, PROMPT, ANSWER];
/** An id is kept as a hash; a UUID, which is made to be an id, as itself. */
const IN_IDS = EVERYTHING.filter((secret) => !/^[0-9a-f-]{36}$/.test(secret));
const IN_TEXTS = [...TOKENS, ...IDS, ...ECHOES];

function plantInEvents(): unknown[] {
  const events: unknown[] = [];
  const plant = (parts: Record<string, unknown>) => {
    events.push(anEvent({ outcome: "capacity", ...parts } as never));
    events.push({ ...anEvent(), outcome: undefined, httpStatus: 400, ...parts });
  };
  for (const field of Object.keys(attemptEvent.shape)) {
    const secrets = LABELS.includes(field)
      ? IN_LABELS
      : ["eventId", "requestId"].includes(field)
        ? IN_IDS
        : field === "error"
          ? IN_TEXTS
          : EVERYTHING;
    for (const secret of secrets) plant({ [field]: secret });
  }
  for (const secret of IN_TEXTS) {
    plant({ error: { message: secret } });
    plant({ error: { type: "x", code: 7, message: `It failed. ${secret} Try again later.` } });
    plant({ error: { message: secret, stack: secret, param: secret, headers: { cookie: secret } } });
  }
  for (const secret of [...TOKENS, ...IDS]) plant({ error: { type: secret, code: secret } });
  for (const secret of EVERYTHING) {
    plant({
      prompt: secret,
      messages: [{ content: secret }],
      headers: { authorization: secret },
      [secret]: secret,
    });
  }
  return events;
}

describe("planted secrets", () => {
  it("in every field of an event", async () => {
    const events = plantInEvents();
    expect(events.length).toBeGreaterThan(500);
    const answer = await count(await send("/v1/attempts", JSON.stringify({ attempts: events })));
    expect(answer.accepted).toBeGreaterThan(200);
    expect(answer.rejected.length).toBeGreaterThan(100);
    const lines = plantInEvents().map((event) => JSON.stringify(event));
    await count(
      await send("/v1/attempts", [...lines, `{"broken ${PROMPT}`].join("\n"), "application/x-ndjson"),
    );
  });

  it("in every field of LiteLLM's payloads", async () => {
    const payloads = EVERYTHING.flatMap((secret, i) => {
      const isText = IN_TEXTS.includes(secret);
      const payload = {
        id: secret,
        trace_id: secret,
        litellm_call_id: secret,
        call_type: "acompletion",
        stream: true,
        startTime: (T0 + i * 1000) / 1000,
        endTime: (T0 + i * 1000 + 500) / 1000,
        completionStartTime: (T0 + i * 1000 + 100) / 1000,
        status: i % 2 === 0 ? "success" : "failure",
        custom_llm_provider: IN_LABELS.includes(secret) ? secret : "anthropic",
        model: IN_LABELS.includes(secret) ? secret : "claude-x",
        model_id: secret,
        model_group: IN_LABELS.includes(secret) ? secret : "chat",
        api_base: IN_LABELS.includes(secret) ? secret : "https://api.anthropic.com",
        messages: [{ role: "user", content: secret }],
        response: { choices: [{ message: { content: secret } }] },
        model_parameters: { user: secret, stop: [secret] },
        metadata: {
          user_api_key_hash: secret,
          user_api_key_alias: secret,
          user_api_key_user_email: secret,
          requester_metadata: { [secret]: secret },
          requester_custom_headers: { cookie: secret },
        },
        request_tags: [secret],
        end_user: secret,
        requester_ip_address: secret,
        user_agent: secret,
        cache_key: secret,
        error_str: isText ? secret : "failed",
        error_information: {
          error_class: TOKENS.includes(secret) ? secret : "BadRequestError",
          error_code: TOKENS.includes(secret) ? secret : "400",
          llm_provider: "anthropic",
          traceback: secret,
          ...(isText && i % 3 > 0 ? { error_message: `AnthropicException - ${secret}` } : {}),
        },
        hidden_params: {
          litellm_model_name: IN_LABELS.includes(secret) ? secret : "claude-x",
          api_base: secret,
          additional_headers: { x_ratelimit_limit_requests: secret },
        },
        guardrail_information: { guardrail_response: secret },
        [secret]: secret,
      };
      return [payload, { ...payload, startTime: secret }, secret];
    });
    const answer = await count(await send("/v1/litellm", JSON.stringify(payloads)));
    expect(answer.accepted).toBeGreaterThan(EVERYTHING.length / 2);
    expect(answer.rejected.length).toBeGreaterThan(EVERYTHING.length);
    const lines = payloads.map((payload) => JSON.stringify(payload));
    await count(await send("/v1/litellm?source=lines", [...lines, `{"broken ${PROMPT}`].join("\n")));
  });

  for (const [name, create] of [
    ["protobuf", () => new ProtobufExporter({ url: `${api.url}/v1/traces`, headers: bearer() })],
    ["JSON", () => new JsonExporter({ url: `${api.url}/v1/traces`, headers: bearer() })],
  ] as const) {
    it(`in every field of OpenTelemetry's spans, as ${name}`, async () => {
      for (const secret of EVERYTHING) await exportSpans(create, secret);
      const [stored] = await sql<{ n: number }[]>`
        select count(*)::int as n from attempt a join series s on s.id = a.series_id where s.model = 'otel-model'`;
      expect(stored?.n).toBeGreaterThan(EVERYTHING.length);
      accepted += stored?.n ?? 0;
    });
  }

  it("in what a reporter says that it lost", async () => {
    for (const secret of EVERYTHING) {
      const source = IN_LABELS.includes(secret) ? secret : "shop";
      const id = IN_IDS.includes(secret) ? secret : "reporter";
      const reporter = { id, dropped: { [source]: 1 }, [secret]: secret };
      const body = JSON.stringify({ attempts: [], reporter, [secret]: secret });
      expect([202, 422]).toContain((await send("/v1/attempts", body)).status);
    }
    expect(await sql`select count(*)::int as n from reporter_drop`).toEqual([
      { n: expect.toSatisfy((n: number) => n > EVERYTHING.length / 2) },
    ]);
  });

  it("in every column of imported files", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-planted-"));
    const at = { url: api.url, key, nowMs: T0 };
    const events = plantInEvents() as Record<string, unknown>[];
    const lines = [...events.map((event) => JSON.stringify(event)), `{"broken ${PROMPT}`, PROMPT];
    shown.push(await importFile(at, folder, "planted.ndjson", lines.join("\n")));
    const columns = [
      ...Object.keys(attemptEvent.shape),
      "prompt",
      ...TOKENS.filter((token) => !token.includes(",")),
    ];
    const cell = (value: unknown) =>
      `"${(typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "")).replaceAll('"', '""')}"`;
    const rows = (plantInEvents() as typeof events).map((event) =>
      columns.map((column) => cell(event[column])).join(","),
    );
    const csv = [columns.join(","), ...rows, `"${PROMPT}`].join("\n");
    shown.push(await importFile(at, folder, "planted.csv", csv));
    expect(shown.at(-2)).toMatch(/accepted +\d{3}/);
    expect(shown.at(-1)).toMatch(/accepted +\d{2}/);
    fs.rmSync(folder, { recursive: true });
  });

  it("in headers and queries", async () => {
    for (const secret of [...TOKENS, ...IDS]) {
      for (const name of [
        "content-encoding",
        "user-agent",
        "cookie",
        "traceparent",
        "x-forwarded-for",
        "referer",
      ]) {
        await send("/v1/attempts", '{"attempts":[]}', "application/json", { [name]: secret });
      }
      for (const query of ["project", "source", TOKENS[0], IDS[0]]) {
        await send(`/v1/litellm?${query}=${encodeURIComponent(secret)}`, "[]");
        const response = await api.fetch(
          `/api/attempts?${query === "source" ? "cursor" : query}=${encodeURIComponent(secret)}`,
        );
        shown.push(await response.text());
      }
    }
  });

  it("in bodies that cannot be read at all", async () => {
    for (const [where, type] of [
      ["/v1/attempts", "application/json"],
      ["/v1/litellm", "application/json"],
      ["/v1/traces", "application/json"],
      ["/v1/traces", "application/x-protobuf"],
      ["/v1/traces", `text/plain; note=${CORE}`],
      [`/v1/attempts?project=${CORE}`, "application/json"],
      [`/v1/attempts?${TOKENS[0]}=1`, "application/json"],
      [`/v1/${TOKENS[0]}`, "application/json"],
      [`/v1/${IDS[0]}/traces`, "application/json"],
    ] as const) {
      for (const body of [`{"${PROMPT}`, `{"a":"${PROMPT}"} ${ANSWER}`, `[${PROMPT}]`, PROMPT]) {
        const response = await send(where, body, type);
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(response.status).toBeLessThan(500);
      }
    }
  });

  it("amid a failure of our own, which is logged", async () => {
    await sql`alter table attempt rename to attempt_gone`;
    const span = {
      traceId: "3".repeat(32),
      spanId: "4".repeat(16),
      startTimeUnixNano: `${T0}000000`,
      status: { code: 2, message: ECHOES[0] },
      attributes: [
        { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
        { key: "gen_ai.request.model", value: { stringValue: "m" } },
        { key: "gen_ai.provider.name", value: { stringValue: TOKENS[0] } },
        { key: "gen_ai.input.messages", value: { stringValue: PROMPT } },
      ],
    };
    const event = { ...anEvent({ source: PROMPT }), error: { message: ECHOES[1] }, prompt: PROMPT };
    const payload = {
      startTime: T0 / 1000,
      model: "m",
      custom_llm_provider: "p",
      status: "failure",
      error_str: ECHOES[2],
    };
    for (const [where, body] of [
      ["/v1/attempts", { attempts: [event] }],
      ["/v1/litellm", [payload]],
      ["/v1/traces", { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }],
    ] as const) {
      const response = await send(where, JSON.stringify(body));
      expect(response.status).toBe(500);
      expect((await response.text()).toLowerCase()).not.toContain(CORE);
    }
    await sql`alter table attempt_gone rename to attempt`;
    expect(logged.filter((line) => line.includes("unexpected error"))).toHaveLength(3);
  });

  it("are in no answer, neither to who sent them nor to who looks", async () => {
    await api.catchUp();
    await api.server.core.flushSources();
    const readable = ROUTES.filter(({ method, path: where }) => method === "get" && !where.includes(":"));
    for (const { path: where, query } of readable) {
      const range = "from" in (query?.shape ?? {}) ? "?from=2026-11-01T00:00:00Z" : "";
      shown.push(await (await api.fetch(where + range, { redirect: "manual" })).text());
    }
    expect(shown.length).toBeGreaterThan(200);
    const leaks = shown.flatMap((text) =>
      NEEDLES.filter((needle) => text.toLowerCase().includes(needle)).map((needle) => {
        const place = text.toLowerCase().indexOf(needle);
        return text.slice(Math.max(0, place - 150), place + 50);
      }),
    );
    expect(leaks).toEqual([]);
  });

  it("are found nowhere in the database, in its files or in the logs", async () => {
    // What is meant to be kept is found: the search can find.
    await api.post([
      anEvent({ model: "kept-on-purpose", outcome: "capacity", error: { message: "kept words" } }),
    ]);
    await api.catchUp();
    await api.server.core.flushSources();
    const dump = await dumpDatabase();
    expect(accepted).toBeGreaterThan(1_000);
    expect(dump.length).toBeGreaterThan(100_000);
    expect(dump).toContain("kept-on-purpose");
    expect(dump).toContain("kept words");
    const leaks = dump
      .split("\n")
      .filter((row) => NEEDLES.some((needle) => row.toLowerCase().includes(needle)));
    expect(leaks).toEqual([]);

    await sql`checkpoint`;
    const files = await searchFiles([...NEEDLES, "kept-on-purpose"]);
    expect(files.filter(({ found }) => found.includes("kept-on-purpose")).length).toBeGreaterThan(0);
    expect(files.filter(({ found }) => NEEDLES.some((needle) => found.includes(needle)))).toEqual([]);

    const log = logged.join("").toLowerCase();
    expect(NEEDLES.filter((needle) => log.includes(needle))).toEqual([]);
  });
});

function bearer() {
  return { authorization: `Bearer ${key}` };
}

/** Attributes of prompts and answers by every convention, and some of what else apps put on spans. */
const CONTENT = [
  "gen_ai.input.messages",
  "gen_ai.output.messages",
  "gen_ai.system_instructions",
  "gen_ai.tool.call.arguments",
  "gen_ai.tool.call.result",
  "gen_ai.prompt",
  "gen_ai.prompt.0.content",
  "gen_ai.completion",
  "gen_ai.completion.0.content",
  "gen_ai.response.id",
  "gen_ai.conversation.id",
  "input.value",
  "output.value",
  "llm.input_messages.0.message.content",
  "llm.output_messages.0.message.content",
  "llm.prompts",
  "llm.invocation_parameters",
  "ai.prompt",
  "ai.prompt.messages",
  "ai.response.text",
  "ai.response.object",
  "ai.response.id",
  "ai.request.headers.authorization",
  "ai.telemetry.metadata.user",
  "traceloop.entity.input",
  "traceloop.entity.output",
  "http.request.header.authorization",
  "url.query",
  "user.email",
  "enduser.id",
  "session.id",
];

/** Names whose value is a label, and so kept. */
const LABEL_ATTRIBUTES = /model|provider|gen_ai\.system|llm\.system|address|url\.full|api_base/;
/** Names whose value is the failure's words, or a code. */
const TEXT_ATTRIBUTES = /^(?:exception\.message|exception\.type|error\.type|litellm\.provider\.error\.code)$/;

async function exportSpans(create: () => ProtobufExporter, secret: string): Promise<void> {
  const isLabel = IN_LABELS.includes(secret);
  const isText = IN_TEXTS.includes(secret);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": isLabel ? secret : "shop",
      "host.name": secret,
      "process.command_line": secret,
    }),
    spanProcessors: [new SimpleSpanProcessor({ exporter: create() })],
  });
  const tracer = provider.getTracer(isLabel ? secret : "scope", secret);
  const base = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "acme",
    "gen_ai.request.model": "otel-model",
  };
  const content = Object.fromEntries([...CONTENT, secret].map((name) => [name, secret]));
  record(tracer, secret, { ...base, ...content }, isText);
  for (const name of READ_ATTRIBUTES) {
    if (name === "gen_ai.operation.name") continue;
    if (LABEL_ATTRIBUTES.test(name) && !isLabel) continue;
    if (TEXT_ATTRIBUTES.test(name) && !(name.endsWith("message") ? isText : TOKENS.includes(secret)))
      continue;
    record(tracer, secret, { ...base, ...content, [name]: secret }, isText);
  }
  await provider.shutdown();
}

function record(tracer: Tracer, secret: string, attributes: Record<string, string>, isText: boolean): void {
  const span = tracer.startSpan(secret, {
    kind: SpanKind.CLIENT,
    startTime: T0,
    attributes,
    links: [
      {
        context: { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: TraceFlags.SAMPLED },
        attributes: { link: secret },
      },
    ],
  });
  span.addEvent("gen_ai.user.message", { content: secret }, T0);
  span.addEvent(secret, { [secret]: secret }, T0);
  span.recordException({ name: "Error", message: isText ? secret : "failed", stack: `at ${secret}` }, T0);
  span.setStatus({ code: SpanStatusCode.ERROR, message: isText ? secret : "failed" });
  span.end(T0 + 100);
}

/** Every row of every table, as text. */
async function dumpDatabase(): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`;
  expect(tables.length).toBeGreaterThan(20);
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await sql.unsafe<{ line: string }[]>(`select t::text as line from ${name} t`);
    rows.push(...found.map(({ line }) => `${name} ${line}`));
  }
  return rows.join("\n");
}

/** Files of this database, the write-ahead log and the server's own log, with what was found in each. */
async function searchFiles(needles: readonly string[]): Promise<{ file: string; found: string[] }[]> {
  const [place] = await sql<{ folder: string; oid: string }[]>`
    select current_setting('data_directory') as folder, oid::text from pg_database
     where datname = current_database()`;
  const folder = place?.folder ?? "";
  const folders = [
    path.join(folder, "base", place?.oid ?? ""),
    path.join(folder, "pg_wal"),
    path.dirname(folder),
  ];
  return folders
    .flatMap((where) =>
      fs
        .readdirSync(where, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => path.join(where, name)),
    )
    .map((file) => {
      const bytes = fs.readFileSync(file);
      return { file: path.basename(file), found: needles.filter((needle) => bytes.includes(needle)) };
    });
}
