import { describe, expect, it } from "vitest";
import { DatabaseAway } from "../ingest/failure.ts";
import { createDataSink, type DataSinkOptions } from "./data-sink.ts";
import { ImportError } from "./import-error.ts";

const STORED = { accepted: 1, duplicates: 0, rejected: [] };
const EVENTS = [{ occurredAt: 0, provider: "acme", model: "large" }];

/** A sink whose database is away for the first `failures` calls; its sleeps take no time. */
function makeSink(
  failures: number,
  error: Error = new DatabaseAway("The database does not answer (40P01)."),
) {
  const seen = { calls: 0, sleptMs: 0, said: [] as string[] };
  const options: DataSinkOptions = {
    label: "/data",
    rawRetentionDays: 400,
    store: async () => {
      if (seen.calls++ < failures) throw error;
      return STORED;
    },
    addUp: async () => {},
    say: (line) => void seen.said.push(line),
    signal: new AbortController().signal,
    sleep: async (ms) => {
      seen.sleptMs += ms;
    },
    now: () => 0,
  };
  return { sink: createDataSink(options), seen };
}

describe("the sink of a data folder", () => {
  it("tries again while the database is away, and says so from the second time on", async () => {
    const { sink, seen } = makeSink(3);
    expect(await sink.send(EVENTS)).toEqual(STORED);
    expect(seen.calls).toBe(4);
    expect(seen.said).toHaveLength(2);
    expect(seen.said[0]).toContain("does not answer (40P01). Trying again in");
  });

  it("gives up after two minutes, in words", async () => {
    const { sink, seen } = makeSink(Number.POSITIVE_INFINITY);
    await expect(sink.send(EVENTS)).rejects.toThrow(ImportError);
    await expect(sink.send(EVENTS)).rejects.toThrow(
      /^\/data: The database does not answer \(40P01\)\. Tried \d+ times in/,
    );
    expect(seen.sleptMs).toBeGreaterThan(60_000);
    expect(seen.sleptMs).toBeLessThanOrEqual(2 * 120_000);
  });

  it("adds up what was stored, and says nothing of it when there was nothing to store", async () => {
    const idle = makeSink(0);
    await idle.sink.finish();
    expect(idle.seen.said).toEqual([]);
    const used = makeSink(0);
    await used.sink.send(EVENTS);
    await used.sink.finish();
    expect(used.seen.said).toEqual(["Adding up …"]);
  });

  it("passes on what is no absence of the database", async () => {
    const { sink, seen } = makeSink(1, new TypeError("a bug"));
    await expect(sink.send(EVENTS)).rejects.toThrow(TypeError);
    expect(seen.calls).toBe(1);
  });
});
