import { ADMIN_TOKEN, type Dashboard, NOW } from "./support.ts";

const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri"];

/** A plan for what the sample calls: the chain of a chat, with hours of its own. */
export function samplePlan(afternoon: readonly string[] = ["light", "flagship"]) {
  return {
    timeZone: "America/New_York",
    chains: {
      chat: {
        targets: [
          { id: "flagship", provider: "openai", model: "gpt-5", tier: "flagship" },
          { id: "light", provider: "google", model: "gemini-2.5-pro", tier: "standard", maxConcurrency: 20 },
          { id: "spare", provider: "anthropic", model: "claude-sonnet-4-5", tier: "standard" },
        ],
        floor: "spare",
        schedule: [{ days: WEEKDAYS, from: "10:00", to: "16:00", order: [...afternoon] }],
        avoid: [{ target: "flagship", windows: [{ days: ["mon"], from: "13:00", to: "17:00" }] }],
        retry: { maxAttempts: 4 },
      },
    },
  };
}

/** A server that takes the admin token of browser tests, or another one. */
export type Sender = Pick<Dashboard, "url"> & { readonly token?: string };

export async function send(
  { url, token = ADMIN_TOKEN }: Sender,
  method: string,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
}

const router = (instance: string, planVersion: number | null, isBusy = false) => ({
  instance,
  chain: "chat",
  source: "checkout",
  sdkVersion: "0.1.0",
  startedAt: NOW - 3_600_000,
  planVersion,
  targets: [
    {
      target: "flagship",
      state: isBusy ? "resting" : "ready",
      score: 0.9,
      circuit: "closed",
      inFlight: 1,
      limit: 3,
      heldUntil: null,
    },
    {
      target: "light",
      state: "ready",
      score: 0.99,
      circuit: "closed",
      inFlight: 0,
      limit: 3,
      heldUntil: null,
    },
  ],
});

/** Two more published versions (2 and 3), a draft (4), two routers and a rehearsal, in the sample. */
export async function fillPlans(dashboard: Dashboard): Promise<void> {
  const to = (path: string) => `${path}?project=sample`;
  const publish = (document: unknown, basedOn: number, reason: string) =>
    send(dashboard, "POST", to("/api/plans/publish"), { document, basedOn, reason });
  await publish(samplePlan(["flagship", "light"]), 1, "One chat for all");
  await publish(samplePlan(), 2, "Afternoons belong to the light one");
  await send(dashboard, "POST", to("/api/plans"), {
    document: samplePlan(["spare", "light", "flagship"]),
    basedOn: 3,
    reason: "Try the spare one in the afternoon",
  });
  await send(dashboard, "POST", to("/v1/routers"), router("a1b2c3d4-one", 3, true));
  await send(dashboard, "POST", to("/v1/routers"), router("e5f6a7b8-two", 2));
  await send(dashboard, "POST", to("/v1/rehearsals"), {
    chain: "chat",
    source: "checkout",
    planVersion: 3,
    startedAt: NOW - 7_200_000,
    durationMs: 42_000,
    cases: 12,
    isOk: false,
    targets: [
      { target: "flagship", provider: "openai", model: "gpt-5", passed: 12, failed: 0, latencyMsP50: 1_800 },
      {
        target: "spare",
        provider: "anthropic",
        model: "claude-sonnet-4-5",
        passed: 10,
        failed: 2,
        latencyMsP50: 2_400,
        failures: [
          { case: "an invoice as JSON", reason: "output", outcome: null },
          { case: "a long letter", reason: "call", outcome: "capacity" },
        ],
      },
    ],
  });
}
