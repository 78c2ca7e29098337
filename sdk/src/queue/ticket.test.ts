import { describe, expect, it } from "vitest";
import { isRouterError } from "../router/router-error.ts";
import { BAD_KEY, CHAIN, FULL, type Script, scripted, settle } from "../router/scripted-providers.ts";
import type { Router } from "../router/types.ts";
import { createVirtualTime } from "../router/virtual-time.ts";
import { isQueued, type TicketJob } from "./ticket.ts";

const ALL_FULL = { flagship: [FULL], standard: [FULL], light: [FULL] };

/** A router before a server of which the answers are given: statuses, or `away`. */
function withServer(script: Script, ...answers: (number | "away")[]) {
  const sent: { url: string; key: string; jobs: Record<string, unknown>[] }[] = [];
  const time = createVirtualTime();
  const fetch = (async (url: string, init: RequestInit) => {
    const { authorization } = init.headers as Record<string, string>;
    sent.push({ url, key: authorization ?? "", ...JSON.parse(String(init.body)) });
    const status = answers[Math.min(sent.length, answers.length) - 1] ?? 201;
    if (status === "away") throw new TypeError("fetch failed");
    const body =
      status === 201
        ? { jobs: [{ id: 41, key: "x", isNew: true }] }
        : { code: "payloads_not_stored", title: "This project stores no payloads" };
    return { status, headers: new Headers(), text: async () => JSON.stringify(body) } as Response;
  }) as unknown as typeof globalThis.fetch;
  const server = { url: "http://busyhour.test", key: "k", fetch };
  const { router } = scripted(script, { time, chain: { ...CHAIN, name: "nightly" } });
  const run = (job: TicketJob, deadlineMs?: number) =>
    settle(
      time,
      router.run("hi", {
        whenBusy: "queue",
        job: { server, ...job },
        ...(deadlineMs === undefined ? {} : { deadlineMs }),
      }),
    );
  return { sent, time, router, run, server };
}

describe("a request for which all models are busy", () => {
  it("is put into the queue as it was said, and a ticket is the answer", async () => {
    const { run, sent } = withServer(ALL_FULL);
    const answer = await run({
      reference: "doc-7",
      key: "k-7",
      queue: "docs",
      when: "offPeak",
      priority: "low",
    });
    expect(answer).toMatchObject({
      ticket: { id: 41, key: "k-7", queue: "docs", isNew: true },
      error: { kind: "busy", outcome: "capacity" },
    });
    expect(sent).toEqual([
      {
        url: "http://busyhour.test/v1/jobs",
        key: "Bearer k",
        jobs: [
          {
            chain: "nightly",
            reference: "doc-7",
            key: "k-7",
            queue: "docs",
            when: "offPeak",
            priority: "low",
          },
        ],
      },
    ]);
    if (isRouterError(answer) || !isQueued(answer)) throw new Error("it was not queued");
    expect(answer.error.attempts.length).toBeGreaterThan(0);
  });

  it("is one job however often it must be sent", async () => {
    const { run, sent } = withServer(ALL_FULL, "away", 503, 201);
    const answer = await run({ payload: { text: "hi" }, target: { provider: "p", model: "m" } });
    const keys = new Set(sent.map(({ jobs }) => jobs[0]?.["key"]));
    expect([sent.length, keys.size]).toEqual([3, 1]);
    expect(answer).toMatchObject({ ticket: { key: [...keys][0], queue: "default" } });
    expect(sent[0]?.jobs[0]).toMatchObject({
      payload: { text: "hi" },
      target: { provider: "p", model: "m" },
    });
    expect(sent[0]?.jobs[0]).not.toHaveProperty("chain");
  });

  it("fails as it would have, where it cannot be queued, and says that too", async () => {
    const refused = withServer(ALL_FULL, 422);
    expect(await refused.run({ payload: 1 })).toMatchObject({
      kind: "busy",
      message: expect.stringMatching(
        /^All models are busy.*; and it could not be queued: the server refused it \(422: This project stores no payloads\)$/,
      ),
    });
    const away = withServer(ALL_FULL, "away");
    expect(await away.run({ reference: "r" })).toMatchObject({
      message: expect.stringContaining("could not be queued: the server cannot be reached (fetch failed)"),
    });
    expect(away.sent).toHaveLength(3);
  });

  it("is queued as well when its time was over before a model had answered", async () => {
    const { run } = withServer({
      flagship: [{ hang: true }],
      standard: [{ hang: true }],
      light: [{ hang: true }],
    });
    expect(await run({ reference: "r" }, 5_000)).toMatchObject({
      ticket: { id: 41 },
      error: { kind: "deadline" },
    });
  });
});

describe("other requests", () => {
  it("are answered, or fail, as ever", async () => {
    const fine = withServer({ flagship: ["hello"] });
    const answer = await fine.run({ reference: "r" });
    if (isRouterError(answer) || isQueued(answer)) throw new Error("it was not answered");
    expect(answer.value).toBe("hello");
    const hard = withServer({ flagship: [BAD_KEY], standard: [BAD_KEY], light: [BAD_KEY] });
    expect(await hard.run({ reference: "r" })).toMatchObject({ kind: "refused" });
    expect([...fine.sent, ...hard.sent]).toEqual([]);
  });

  it("are told before they begin that they could not be queued", async () => {
    const { router, server } = withServer({});
    const run = (options: object) => router.run("hi", options as { whenBusy: "queue"; job: TicketJob });
    await expect(run({ whenBusy: "queue" })).rejects.toThrow("job must say what is queued");
    await expect(run({ whenBusy: "queue", job: { server } })).rejects.toThrow("must have a reference");
    await expect(run({ whenBusy: "wait", job: { reference: "r", server } })).rejects.toThrow(
      "whenBusy must be “queue”",
    );
    await expect(run({ whenBusy: "queue", job: { reference: "r" } })).rejects.toThrow(
      "url and key must name the Busyhour server",
    );
  });
});

/** Never called: what the compiler says of it is the test. */
export async function typesTellTicketFromValue(
  router: Router<string, { readonly text: string }>,
): Promise<string> {
  const plain = await router.run("hi");
  const answer = await router.run("hi", { whenBusy: "queue", job: { reference: "doc-7" } });
  // @ts-expect-error it may be a ticket
  answer.value;
  // @ts-expect-error a job must be named
  await router.run("hi", { whenBusy: "queue" });
  return isQueued(answer) ? String(answer.ticket.id) : answer.value.text + plain.value.text;
}
