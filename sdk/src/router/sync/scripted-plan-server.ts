import type { VirtualTime } from "../virtual-time.ts";

export interface Heard {
  readonly atMs: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  readonly body: any;
}

/** A server that publishes plans, in virtual time; given to a router as its `fetch`. */
export interface ScriptedPlanServer {
  readonly fetch: typeof globalThis.fetch;
  /** Answers with this status instead; `away`: not at all; `null`: as it should. */
  mode: "away" | number | null;
  /** What it answers to what routers say of themselves. */
  beatStatus: number;
  /** Whether it holds requests until there is news. */
  holds: boolean;
  /** Times at which it was asked for the plan. */
  readonly polls: number[];
  readonly beats: Heard[];
  /** Requests that wait for news now. */
  readonly waiting: number;
  publish(plan: object): void;
}

const NOTHING = { version: 0, timeZone: "UTC", chains: {} };

export function createPlanServer(time: VirtualTime): ScriptedPlanServer {
  let published: object = NOTHING;
  let etag = '"v0"';
  const wakers = new Set<() => void>();

  function hold(seconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (end: () => void) => () => {
        wakers.delete(wake);
        stopTimer();
        end();
      };
      const wake = finish(resolve);
      const stopTimer = time.setTimer(wake, seconds * 1_000);
      signal.addEventListener(
        "abort",
        finish(() => reject(signal.reason)),
      );
      wakers.add(wake);
    });
  }

  const answer = (status: number, body: string | null = null) =>
    ({ status, headers: new Headers({ etag }), text: async () => body ?? "" }) as Response;

  const server: ScriptedPlanServer = {
    mode: null,
    holds: true,
    beatStatus: 204,
    polls: [],
    beats: [],
    get waiting() {
      return wakers.size;
    },
    publish(plan) {
      published = plan;
      etag = `"${JSON.stringify(plan).length}-${(plan as { version: number }).version}"`;
      for (const wake of [...wakers]) wake();
    },
    fetch: (async (input: string, init: RequestInit) => {
      const { pathname, searchParams } = new URL(input);
      const isPoll = pathname === "/v1/plan";
      if (isPoll) server.polls.push(time.elapsed());
      if (server.mode === "away") throw new TypeError("fetch failed");
      if (server.mode !== null) return answer(server.mode, '{"title":"Not now"}');
      if (!isPoll) {
        server.beats.push({ atMs: time.elapsed(), body: JSON.parse(String(init.body)) });
        return answer(
          server.beatStatus,
          server.beatStatus === 204 ? null : '{"title":"The body has faults"}',
        );
      }
      const known = (init.headers as Record<string, string>)["if-none-match"];
      const wait = Number(searchParams.get("wait"));
      if (known === etag && server.holds && wait > 0) await hold(wait, init.signal as AbortSignal);
      return known === etag ? answer(304) : answer(200, JSON.stringify(published));
    }) as typeof globalThis.fetch,
  };
  return server;
}
