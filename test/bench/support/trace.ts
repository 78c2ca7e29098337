import fs from "node:fs";
import { gunzipSync } from "node:zlib";
import type { TargetName } from "../../../server/advice/target-history.ts";
import type { Quarter } from "../../../server/profile/day-hours.ts";

export interface TargetTrace extends TargetName {
  readonly quarters: readonly Quarter[];
}

interface Reading extends TargetName {
  /** End of the five minutes that it is of. */
  readonly ts: string;
  /** Share of failed calls, 0–1. */
  readonly err: number;
  /** Calls behind it at least; `null`: unknown. */
  readonly n: number | null;
}

const READING_MS = 300_000;
const QUARTER_MS = 900_000;

/**
 * Readings of real endpoints as counts by quarter-hour. Each stands for up to `per` calls, spread over its five
 * minutes; failures are dealt out by error diffusion, so that the share over many readings is theirs.
 *
 * @param file JSON lines of `{ts, provider, model, endpoint, err, n}`, plain or gzip
 */
export function readTrace(file: string, per: number): TargetTrace[] {
  const bytes = fs.readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const traces = new Map<
    string,
    TargetName & { owed: number; sums: Map<number, { k: number; n: number }> }
  >();
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const { ts, provider, model, endpoint, err, n }: Reading = JSON.parse(line);
    const key = JSON.stringify([provider, model, endpoint]);
    const trace = traces.get(key) ?? { provider, model, endpoint, owed: 0, sums: new Map() };
    traces.set(key, trace);
    const calls = Math.max(1, Math.min(per, n ?? per));
    const due = trace.owed + err * calls;
    const failures = Math.min(calls, Math.floor(due + 1e-9));
    trace.owed = due - failures;
    for (let i = 0; i < calls; i++) {
      const atMs = Date.parse(ts) - READING_MS + ((i + 0.5) / calls) * READING_MS;
      const quarter = Math.floor(atMs / QUARTER_MS) * QUARTER_MS;
      const sum = trace.sums.get(quarter) ?? { k: 0, n: 0 };
      // Spread evenly over the reading, as the calls are.
      sum.k += Math.floor(((i + 1) * failures) / calls) - Math.floor((i * failures) / calls);
      sum.n += 1;
      trace.sums.set(quarter, sum);
    }
  }
  return [...traces.values()].map(({ provider, model, endpoint, sums }) => ({
    provider,
    model,
    endpoint,
    quarters: [...sums.entries()].sort(([a], [b]) => a - b).map(([startMs, sum]) => ({ startMs, ...sum })),
  }));
}
