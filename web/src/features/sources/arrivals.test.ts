import { describe, expect, it } from "vitest";
import type { Sources } from "../../../../server/contract/listing.ts";
import { listBlindSpots, listWarnings, sumArrivals } from "./arrivals.ts";

type Source = Sources["sources"][number];

const cell = (k: number, n: number) => ({
  n,
  k,
  rate: null,
  low: null,
  high: null,
  state: "enough" as const,
});

function aSource(parts: Partial<Source> = {}): Source {
  return {
    source: "app",
    attempts: 0,
    capacity: cell(0, 0),
    failures: cell(0, 0),
    lastEventAt: null,
    lastReceivedAt: null,
    accepted: 0,
    duplicates: 0,
    rejected: 0,
    dropped: 0,
    lastDroppedAt: null,
    clockOffsetMs: null,
    lastRejection: null,
    ways: [],
    ...parts,
  };
}

describe("sumArrivals", () => {
  it("waits when nothing came", () => {
    expect(sumArrivals([])).toEqual({ accepted: 0, rejected: 0, lastReceivedMs: null, lastRejection: null });
  });

  it("sums the sources and tells the newest rejection", () => {
    const rejection = (at: string, detail: string) => ({ at, pointer: "/model", detail });
    const sources = [
      aSource({ accepted: 3, rejected: 1, lastReceivedAt: "2026-11-29T10:00:00Z" }),
      aSource({ attempts: 5, accepted: 2, lastRejection: rejection("2026-11-29T10:00:00Z", "old") }),
      aSource({ rejected: 2, lastRejection: rejection("2026-11-29T11:00:00Z", "is missing") }),
    ];
    expect(sumArrivals(sources)).toEqual({
      accepted: 8,
      rejected: 3,
      lastReceivedMs: Date.parse("2026-11-29T10:00:00Z"),
      lastRejection: {
        atMs: Date.parse("2026-11-29T11:00:00Z"),
        pointer: "/model",
        detail: "is missing",
      },
    });
  });
});

type Way = Source["ways"][number];
const aWay = (instrument: string, ...blindSpots: Way["blindSpots"]): Way => ({
  via: "otlp",
  instrument,
  lastReceivedAt: "2026-11-29T10:00:00Z",
  calls: 1_200,
  failures: 0,
  blindSpots,
});
const retries = { code: "hidesRetries", certainty: "known" } as const;
const failures = { code: "omitsFailures", certainty: "likely" } as const;

describe("listBlindSpots", () => {
  it("tells each way's blind spots, the known ones first", () => {
    const sources = [
      aSource({ source: "a", ways: [aWay("x", failures, retries), aWay("y")] }),
      aSource({ source: "b", ways: [aWay("", failures)] }),
    ];
    expect(listBlindSpots(sources)).toEqual([
      { source: "a", instrument: "x", calls: 1_200, ...retries },
      { source: "a", instrument: "x", calls: 1_200, ...failures },
      { source: "b", instrument: "", calls: 1_200, ...failures },
    ]);
    expect(listBlindSpots([])).toEqual([]);
  });
});

describe("listWarnings", () => {
  it("warns of blind spots once each, of clocks, of rejects and of drops", () => {
    const ways = [aWay("x", retries), aWay("y", retries, failures)];
    expect(listWarnings(aSource({ ways }))).toEqual(["hidesRetries", "omitsFailures"]);
    expect(listWarnings(aSource({ failures: cell(0, 5_000) }))).toEqual([]);
    expect(listWarnings(aSource({ clockOffsetMs: 10_000 }))).toEqual(["clockOff"]);
    expect(listWarnings(aSource({ clockOffsetMs: -3_600_000 }))).toEqual([]);
    expect(listWarnings(aSource({ clockOffsetMs: 9_999 }))).toEqual([]);
    expect(listWarnings(aSource({ rejected: 1, accepted: 100 }))).toEqual(["rejects"]);
    expect(listWarnings(aSource({ rejected: 1, accepted: 101 }))).toEqual([]);
    expect(listWarnings(aSource({ dropped: 1, accepted: 100 }))).toEqual(["drops"]);
    expect(listWarnings(aSource({ dropped: 1, accepted: 101 }))).toEqual([]);
  });
});
