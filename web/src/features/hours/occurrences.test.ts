import { describe, expect, it } from "vitest";
import { listOccurrences, listWeeksBefore } from "./occurrences.ts";

const ms = (text: string) => Date.parse(text);
const iso = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
  `${new Date(fromMs).toISOString().slice(0, 16)}–${new Date(toMs).toISOString().slice(11, 16)}`;

describe("listOccurrences", () => {
  it("finds an hour of each week, newest first, cut by the range's ends", () => {
    const range = { fromMs: ms("2026-11-02T13:20:00Z"), toMs: ms("2026-11-23T13:30:00Z") };
    expect(listOccurrences(13, range, "UTC").map(iso)).toEqual([
      "2026-11-23T13:00–13:30",
      "2026-11-16T13:00–14:00",
      "2026-11-09T13:00–14:00",
      "2026-11-02T13:20–14:00",
    ]);
  });

  it("begins at the half hour where the zone does", () => {
    const range = { fromMs: ms("2026-11-16T00:00:00Z"), toMs: ms("2026-11-30T00:00:00Z") };
    // Tuesday 00:00 in Kolkata is Monday 18:30 UTC.
    expect(listOccurrences(24, range, "Asia/Kolkata").map(iso)).toEqual([
      "2026-11-23T18:30–19:30",
      "2026-11-16T18:30–19:30",
    ]);
  });

  it("follows the wall over a change of clocks, where one is two hours long and one is not there", () => {
    const autumn = { fromMs: ms("2026-10-15T00:00:00Z"), toMs: ms("2026-11-02T00:00:00Z") };
    // Sunday 02:00 in Berlin comes twice on 25 October.
    expect(listOccurrences(6 * 24 + 2, autumn, "Europe/Berlin").map(iso)).toEqual([
      "2026-11-01T01:00–02:00",
      "2026-10-25T00:00–02:00",
      "2026-10-18T00:00–01:00",
    ]);
    const spring = { fromMs: ms("2026-03-20T00:00:00Z"), toMs: ms("2026-04-06T00:00:00Z") };
    expect(listOccurrences(6 * 24 + 2, spring, "Europe/Berlin").map(iso)).toEqual([
      "2026-04-05T00:00–01:00",
      "2026-03-22T01:00–02:00",
    ]);
  });

  it("finds none where there is none", () => {
    expect(
      listOccurrences(0, { fromMs: ms("2026-11-24T00:00:00Z"), toMs: ms("2026-11-25T00:00:00Z") }, "UTC"),
    ).toEqual([]);
  });
});

describe("listWeeksBefore", () => {
  it("keeps to the wall over a change of clocks", () => {
    expect(listWeeksBefore(ms("2026-11-01T13:00:00Z"), 2, "Europe/Berlin").map(iso)).toEqual([
      "2026-10-25T13:00–14:00",
      "2026-10-18T12:00–13:00",
    ]);
  });
});
