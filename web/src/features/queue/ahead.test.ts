import { expect, it } from "vitest";
import type { AheadHour } from "../../../../server/contract/queue.ts";
import { createFormats } from "../../messages/formats.ts";
import { queueEn } from "../../messages/queue-en.ts";
import { findNextDue, tellAhead, toAheadTable, toColumns } from "./ahead.ts";

const formats = createFormats("en", "UTC");
const hour = (hours: number, jobs: Partial<AheadHour["jobs"]> = {}, more: Partial<AheadHour> = {}) => ({
  from: new Date(Date.UTC(2026, 10, 25, hours)).toISOString(),
  to: new Date(Date.UTC(2026, 10, 25, hours + 1)).toISOString(),
  jobs: { ready: 0, held: 0, scheduled: 0, due: 0, ...jobs },
  expected: null,
  isGood: false,
  ...more,
});

it("draws each hour against the fullest one, before the fixed step of its expected share", () => {
  const [none, half, full] = toColumns(
    [hour(0), hour(1, { held: 2 }, { expected: 0 }), hour(2, { ready: 1, due: 3 }, { expected: 0.06 })],
    queueEn,
    formats,
  );
  expect(none).toMatchObject({ height: 0, look: "none", parts: [] });
  expect(half).toMatchObject({ height: 0.5, look: "0", parts: [{ kind: "held", jobs: 2 }] });
  expect(full).toMatchObject({ height: 1, look: "4" });
  expect(full?.parts.map(({ kind }) => kind)).toEqual(["due", "ready"]);
});

it("says of an hour what runs, why, and what is expected; of an unknown share that it is unknown", () => {
  const [bare, full] = toColumns(
    [hour(0), hour(21, { held: 1200, due: 1 }, { expected: 0.012, isGood: true })],
    queueEn,
    formats,
  );
  expect(bare?.lines).toEqual(["no jobs", "nothing is known of capacity errors"]);
  expect(full?.lines).toEqual([
    "1,201 jobs",
    "1 their latest time comes",
    "1,200 let go by a good window",
    "expected capacity errors 1.2\u202f%",
    "good window",
  ]);
});

it("tells the fullest hour, the first of equal ones; nothing where nothing will run", () => {
  expect(tellAhead([hour(0), hour(1)], 60, queueEn, formats)).toEqual([]);
  expect(tellAhead([hour(0, { held: 3 }), hour(1, { due: 3 })], null, queueEn, formats)).toEqual([
    "Most run from 00:00 on: 3 jobs in that hour.",
    "In all 6 jobs are expected to run within the day.",
    "No worker is there, so an hour shows all that will be free to run in it.",
  ]);
  expect(tellAhead([hour(0, { ready: 1 })], 480.4, queueEn, formats)[2]).toBe(
    "Spread by what the workers can do: 480 jobs an hour.",
  );
});

it("gives the table the numbers of the picture, an unknown share as none", () => {
  const { rows } = toAheadTable([hour(3, { ready: 1, held: 2, scheduled: 3, due: 4 })], [], queueEn);
  expect(rows).toEqual([["2026-11-25T03:00:00.000Z", "2026-11-25T04:00:00.000Z", 1, 2, 3, 4, null, "no"]]);
});

it("finds the most urgent of all queues by time, not by text", () => {
  const depth = (nextDueAt: string | null) => ({ nextDueAt }) as Parameters<typeof findNextDue>[0][number];
  expect(findNextDue([depth(null)])).toBeNull();
  expect(
    findNextDue([depth("2026-11-25T10:00:00+00:00"), depth("2026-11-25T11:00:00+08:00"), depth(null)]),
  ).toBe("2026-11-25T11:00:00+08:00");
});
