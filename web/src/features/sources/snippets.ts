export const SNIPPETS = ["curl", "typescript", "sdk", "python", "opentelemetry", "litellm", "csv"] as const;
export type SnippetName = (typeof SNIPPETS)[number];

export interface SnippetParts {
  /** Of the server, without a slash at the end. */
  readonly origin: string;
  readonly key: string;
  /** ISO 8601; the time of the example's call. */
  readonly occurredAt: string;
}

/** What one pastes to send the first event, with the address and the key filled in. */
export function writeSnippet(name: SnippetName, parts: SnippetParts): string {
  return WRITERS[name](parts);
}

const WRITERS: Readonly<Record<SnippetName, (parts: SnippetParts) => string>> = {
  curl: ({ origin, key, occurredAt }) => `curl -sS ${origin}/v1/attempts \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"attempts":[{
        "occurredAt": "${occurredAt}", "source": "my-app",
        "provider": "openai", "model": "gpt-5",
        "outcome": "capacity", "httpStatus": 503, "latencyMs": 820
      }]}'
`,

  typescript: ({ origin, key }) => `const BUSYHOUR_URL = "${origin}/v1/attempts";
const BUSYHOUR_KEY = "${key}";

/** Calls a model and reports how it went. Reporting never delays the call and never throws. */
export async function measured(provider: string, model: string, call: () => Promise<Response>) {
  const occurredAt = new Date().toISOString();
  const start = performance.now();
  const report = (result: object) => {
    const latencyMs = performance.now() - start;
    const eventId = crypto.randomUUID();
    const attempt = { eventId, occurredAt, source: "my-app", provider, model, latencyMs, ...result };
    fetch(BUSYHOUR_URL, {
      method: "POST",
      headers: { authorization: \`Bearer \${BUSYHOUR_KEY}\`, "content-type": "application/json" },
      body: JSON.stringify({ attempts: [attempt] }),
    }).catch(() => {});
  };
  try {
    const response = await call();
    const body = response.ok ? null : await response.clone().json().catch(() => null);
    report({ httpStatus: response.status, error: body?.error });
    return response;
  } catch (error) {
    report({ outcome: "network" });
    throw error;
  }
}

// const response = await measured("openai", "gpt-5", () => fetch("https://api.openai.com/v1/responses", …));
`,

  sdk: ({ origin, key }) => `// In the folder of Busyhour: npm run build:sdk
// In your app: npm install FOLDER_OF_BUSYHOUR/dist/sdk

import { createReporter } from "@busyhour/sdk";

const reporter = createReporter({
  url: "${origin}",
  key: "${key}",
  source: "my-app",
});

/** One attempt of a call, reported however it ends. */
export async function reported(provider: string, model: string, attempt: () => Promise<Response>) {
  const occurredAt = Date.now();
  const start = performance.now();
  const report = (end: object) =>
    reporter.report({ occurredAt, provider, model, latencyMs: performance.now() - start, ...end });
  try {
    const response = await attempt();
    const failed = response.ok ? {} : { error: { message: await response.clone().text() } };
    report({ httpStatus: response.status, ...failed });
    return response;
  } catch (error) {
    report({ error: { message: String(error) } });
    throw error;
  }
}
`,

  python: ({ origin, key }) => `import json, threading, time, urllib.request, uuid
from datetime import datetime, timezone

BUSYHOUR_URL = "${origin}/v1/attempts"
BUSYHOUR_KEY = "${key}"


def report(started, provider, model, **result):
    """Reports one attempt. Never delays the caller and never raises. \`started\` is time.time() before the call."""
    attempt = {
        "eventId": str(uuid.uuid4()),
        "occurredAt": datetime.fromtimestamp(started, timezone.utc).isoformat(),
        "source": "my-app",
        "provider": provider,
        "model": model,
        "latencyMs": (time.time() - started) * 1000,
        **result,
    }

    def send():
        try:
            request = urllib.request.Request(
                BUSYHOUR_URL,
                json.dumps({"attempts": [attempt]}).encode(),
                {"Authorization": f"Bearer {BUSYHOUR_KEY}", "Content-Type": "application/json"},
            )
            urllib.request.urlopen(request, timeout=5).close()
        except Exception:
            pass

    threading.Thread(target=send).start()


started = time.time()
# … call the model here …
report(started, "openai", "gpt-5", httpStatus=200)
`,

  opentelemetry: ({ origin, key }) => `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${origin}/v1/traces
export OTEL_EXPORTER_OTLP_TRACES_HEADERS="Authorization=Bearer%20${key}"
export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf
export OTEL_SERVICE_NAME=my-app
`,

  litellm: ({ origin, key }) => `litellm_settings:
  callbacks: ["busyhour"]
callback_settings:
  busyhour:
    callback_type: generic_api
    endpoint: ${origin}/v1/litellm
    headers:
      Authorization: Bearer ${key}
    batch_size: 100
    flush_interval: 5
`,

  csv: ({ origin, key, occurredAt }) => `# calls.csv, with a header line like this one:
#   occurredAt,provider,model,outcome,httpStatus,latencyMs
#   ${occurredAt},openai,gpt-5,capacity,503,820

npx busyhour import calls.csv --set source=my-app --url ${origin} --key ${key}
`,
};

/** What a good answer looks like; `null` where the tool tells by itself. */
export const EXPECTED: Readonly<Record<SnippetName, string | null>> = {
  curl: '{"accepted":1,"duplicates":0,"rejected":[],…}',
  typescript: null,
  sdk: null,
  python: null,
  opentelemetry: null,
  litellm: null,
  csv: null,
};
