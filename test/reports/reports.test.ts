import { randomUUID } from "node:crypto";
import type { AttemptEvent } from "@busyhour/sdk";
import { describe, expect, it } from "vitest";
import { type EnqueueReport, runReports } from "../../server/reports/job.ts";
import { anEvent } from "../support/events.ts";
import { startTestServer } from "../support/server.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Monday, midnight in Shanghai. */
const MONDAY = Date.parse("2026-11-22T16:00:00Z");
const NEXT = MONDAY + 7 * DAY;
const api = await startTestServer({ nowMs: NEXT + 2 * HOUR });
const { core } = api.server;

/** Requests one an hour; every tenth finds no room first, and the next target of the chain answers. */
function week(fromMs: number, everyth: number): AttemptEvent[] {
  return Array.from({ length: 7 * 24 }, (_, i) => {
    const call = { requestId: randomUUID(), chain: "chat", source: "shop" };
    const occurredAt = new Date(fromMs + i * HOUR + 60_000).toISOString();
    const second = { ...call, occurredAt, model: "second", attempt: 2, position: 1, isFinal: true };
    return i % everyth === 0
      ? [
          anEvent({
            ...call,
            occurredAt,
            model: "first",
            outcome: "capacity",
            attempt: 1,
            position: 0,
            isFinal: false,
          }),
          anEvent({ ...second, outcome: "ok" }),
        ]
      : [
          anEvent({
            ...call,
            occurredAt,
            model: "first",
            outcome: "ok",
            attempt: 1,
            position: 0,
            isFinal: true,
          }),
        ];
  }).flat();
}

const sent: Parameters<EnqueueReport>[1][] = [];
const enqueue: EnqueueReport = async (_tx, message) => {
  sent.push(message);
};
const run = (nowMs: number) => runReports(core.jobSql, enqueue, nowMs);

describe("the weekly report", async () => {
  await api.fetch("/api/project", {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ timeZone: "Asia/Shanghai" }),
  });
  const limited = Array.from({ length: 6 }, (_, i) =>
    anEvent({ model: "tight", outcome: "quota", occurredAt: new Date(MONDAY + i * HOUR).toISOString() }),
  );
  await api.post([...week(MONDAY - 7 * DAY, 20), ...week(MONDAY, 10), ...limited]);
  await api.catchUp();

  it("tells the week against the one before, with what to change", async () => {
    const { report, isOver, title, parts, markdown } = await api.get("/api/reports/2026-W48");
    expect(isOver).toBe(true);
    expect(report).toMatchObject({
      week: "2026-W48",
      zone: "Asia/Shanghai",
      range: { from: new Date(MONDAY).toISOString(), to: new Date(NEXT).toISOString() },
      figures: {
        requests: 168 + 6,
        attempts: 168 + 17 + 6,
        capacity: { k: 17, n: 185 },
        requestCapacity: { k: 0 },
        degraded: { k: 17, n: 168 },
      },
      before: { requests: 168, degraded: { k: 9, n: 168 } },
      degradations: [{ chain: "chat", degraded: 17, answered: 168, by: [{ model: "second", degraded: 17 }] }],
      trouble: [{ model: "tight", outcome: "quota", attempts: 6, before: 0 }],
      quota: { verdict: "raise", reasons: [{ model: "tight", outcome: "quota", share: 1 }] },
      order: { verdict: expect.stringMatching(/^(tooLittleData|fine)$/) },
    });
    expect(title).toContain("2026-W48");
    expect(markdown).toContain("## Change quota or order?\n\n- Quota: yes, raise it for ");
    expect(parts.map(({ heading }: { heading: string }) => heading)).toContain("Fallbacks");
    const zh = await api.get("/api/reports/2026-W48?locale=zh");
    expect(zh.markdown).toContain("## 要改配额或顺序吗？");
    expect(zh.report).toEqual(report);
  });

  it("is sent once on Monday at eight in the project's zone, though two servers run the job", async () => {
    expect(await run(NEXT + 8 * HOUR - 1)).toBe(0);
    const counts = await Promise.all([run(NEXT + 8 * HOUR), run(NEXT + 8 * HOUR)]);
    expect(counts.sort()).toEqual([0, 1]);
    expect(await run(NEXT + 9 * HOUR)).toBe(0);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.notice).toMatchObject({
      event: "report",
      project: { slug: "default" },
      view: "/alerts/reports?project=default&week=2026-W48",
      data: { week: "2026-W48" },
    });
    expect(sent[0]?.notice.text.zh.title).toContain("周报");
    const { weeks } = await api.get("/api/reports");
    expect(weeks.map(({ week: name, isOver }: { week: string; isOver: boolean }) => [name, isOver])).toEqual([
      ["2026-W49", false],
      ["2026-W48", true],
    ]);
    expect(weeks[1].sentAt).toBe(new Date(NEXT + 8 * HOUR).toISOString());
  });

  it("stays as it was sent, whatever turns up later", async () => {
    const before = await api.get("/api/reports/2026-W48");
    await api.post([anEvent({ model: "first", occurredAt: new Date(MONDAY + DAY).toISOString() })]);
    await api.catchUp();
    expect(await api.get("/api/reports/2026-W48")).toEqual(before);
  });

  it("is not sent of a week without calls, and says which weeks there are none of", async () => {
    expect(await run(NEXT + 14 * DAY + 9 * HOUR)).toBe(0);
    expect(sent).toHaveLength(1);
    for (const name of ["2026-W54", "2027-W01"]) {
      const answer = await api.fetch(`/api/reports/${name}`);
      expect(answer.status).toBe(422);
      expect((await answer.json()).errors[0].pointer).toBe(":week");
    }
  });
});
