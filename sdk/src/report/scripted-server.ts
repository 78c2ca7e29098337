// For tests: a reporter in a world of its own, and servers that answer as they are told.
import type { AttemptEvent } from "../attempt-event.ts";
import type { ReporterOptions } from "./options.ts";
import { createReporter } from "./reporter.ts";
import { createVirtualSystem } from "./virtual-system.ts";

/** What one request carried. */
export interface SentBody {
  attempts: (AttemptEvent & { eventId: string })[];
  reporter?: { id: string; dropped: Record<string, number> };
}

export type Reply = (body: SentBody) => Response | Error;

export const taken: Reply = ({ attempts }) =>
  Response.json({ accepted: attempts.length, duplicates: 0, rejected: [] }, { status: 202 });
export const status =
  (
    code: number,
    headers: Record<string, string> = {},
    body: unknown = { title: "No", status: code },
  ): Reply =>
  () =>
    Response.json(body, { status: code, headers });
export const away: Reply = () =>
  Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });

/** Never answers. */
export const hang = (_: unknown, { signal }: RequestInit) =>
  new Promise<Response>((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(new Error("aborted")));
  });

/** A reporter in a world of its own, whose server gives the replies in turn, the last one for ever. */
export function setUp(options: Partial<ReporterOptions> = {}, ...replies: Reply[]) {
  const bodies: SentBody[] = [];
  const requests: { url: string; init: RequestInit }[] = [];
  const script = replies.length === 0 ? [taken] : replies;
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    const body = JSON.parse(String(init.body)) as SentBody;
    const reply = script[Math.min(bodies.length, script.length - 1)] ?? taken;
    bodies.push(body);
    requests.push({ url: String(input), init });
    const answer = reply(body);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const system = createVirtualSystem(fetch as typeof globalThis.fetch);
  const problems: string[] = [];
  const reporter = createReporter(
    {
      url: "http://127.0.0.1:8420",
      key: "bhi_test",
      source: "app",
      onProblem: ({ code }) => problems.push(code),
      ...options,
    },
    system,
  );
  const report = (count: number, parts: Partial<AttemptEvent> = {}) => {
    for (let i = 0; i < count; i++) reporter.report(anEvent(parts));
  };
  return { reporter, report, system, bodies, requests, problems, script };
}

let made = 0;
export function anEvent(parts: Partial<AttemptEvent> = {}): AttemptEvent {
  return { occurredAt: 1_796_000_000_000 + made++, provider: "acme", model: "large", ...parts };
}
