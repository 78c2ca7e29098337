import { beforeEach, describe, expect, it } from "vitest";
import { enqueueNotice } from "../../server/channels/outbox.ts";
import type { Severity } from "../../server/contract/alert-rule.ts";
import type { ChannelKind } from "../../server/contract/channel.ts";
import type { Notice } from "../../server/contract/notice.ts";
import { createTestDatabase } from "../support/database.ts";
import { anAlert, aText } from "../support/notices.ts";

const { sql } = await createTestDatabase();
await sql`insert into project (slug, name) values ('other', 'Other')`;
const NOW = Date.parse("2026-11-29T12:00:00Z");
beforeEach(() => sql`delete from channel`);

async function addChannel(
  name: string,
  parts: { kind?: ChannelKind; least?: Severity; isEnabled?: boolean; projectId?: number } = {},
): Promise<number> {
  const { kind = "slack", least = "info", isEnabled = true, projectId = 1 } = parts;
  const [row] = await sql<{ id: number }[]>`
    insert into channel (project_id, name, kind, locale, least_severity, is_enabled, settings, created_at)
    values (${projectId}, ${name}, ${kind}, 'en', ${least}, ${isEnabled}, '{}', now()) returning id`;
  return row?.id ?? 0;
}
const enqueue = (notice: Notice, channels: number[] | null = null) =>
  sql.begin((tx) => enqueueNotice(tx, { projectId: 1, notice, channels, nowMs: NOW }));
const waiting = async () =>
  (
    await sql<{ name: string }[]>`
      select c.name from notification n join channel c on c.project_id = n.project_id and c.id = n.channel_id
       where n.state = 'waiting' order by c.name, n.id`
  ).map(({ name }) => name);

describe("a notice", () => {
  it("waits for every channel that is on and takes its severity", async () => {
    await addChannel("all");
    await addChannel("critical alone", { least: "critical" });
    await addChannel("off", { isEnabled: false });
    await addChannel("of another project", { projectId: 2 });
    await enqueue(anAlert({ severity: "warning" }));
    expect(await waiting()).toEqual(["all"]);
    await enqueue(anAlert({ severity: "critical" }));
    expect(await waiting()).toEqual(["all", "all", "critical alone"]);
  });

  it("waits for the channels that a rule names, whatever they take, and for no stranger's", async () => {
    const named = await addChannel("named", { least: "critical" });
    await addChannel("not named");
    const strange = await addChannel("strange", { projectId: 2 });
    const off = await addChannel("off", { isEnabled: false });
    await enqueue(anAlert({ severity: "info" }), [named, strange, off, 999]);
    expect(await waiting()).toEqual(["named"]);
    await enqueue(anAlert(), []);
    expect(await waiting()).toEqual(["named"]);
  });

  it("that is no alert does not wait where alerts are states", async () => {
    await addChannel("pager", { kind: "pagerduty" });
    await addChannel("alertmanager", { kind: "alertmanager" });
    await addChannel("hook", { kind: "webhook" });
    await enqueue(aText());
    expect(await waiting()).toEqual(["hook"]);
    await enqueue(anAlert());
    expect(await waiting()).toEqual(["alertmanager", "hook", "hook", "pager"]);
  });

  it("comes with what makes it true, or not at all", async () => {
    await addChannel("all");
    await expect(
      sql.begin(async (tx) => {
        await enqueueNotice(tx, { projectId: 1, notice: anAlert(), channels: null, nowMs: NOW });
        throw new Error("the alert could not be stored");
      }),
    ).rejects.toThrow("the alert");
    expect(await waiting()).toEqual([]);
  });

  it("has ids in the order of commits: one that comes later waits for the one that is being written", async () => {
    await addChannel("all");
    const order: string[] = [];
    let commit = () => {};
    const held = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let written = () => {};
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const first = sql.begin(async (tx) => {
      await enqueueNotice(tx, { projectId: 1, notice: anAlert({ alert: 1 }), channels: null, nowMs: NOW });
      written();
      await held;
      order.push("first");
    });
    await isWritten;
    const second = enqueue(anAlert({ alert: 2 })).then(() => order.push("second"));
    for (;;) {
      const [row] = await sql<{ n: number }[]>`select count(*)::int as n from pg_locks where not granted`;
      if (row?.n === 1) break;
    }
    commit();
    await Promise.all([first, second]);
    expect(order).toEqual(["first", "second"]);
    const rows = await sql<
      { alert: number }[]
    >`select (notice->>'alert')::int as alert from notification order by id`;
    expect(rows.map(({ alert }) => alert)).toEqual([1, 2]);
  });
});
