/**
 * What it is worth to let work wait: 40,000 jobs, handed over at three in the afternoon and wanted by eight, against a
 * provider whose room follows a day; three ways of doing them, on the same seeds, in virtual time.
 *
 *   npm run bench:queue -- [--jobs 40000] [--workers 5] [--seeds 2] [--fixed 40]
 *
 * The workers are the shipped ones. The queue is in memory, since a database keeps no virtual time; when jobs go, are due
 * and come back is decided by the server's own functions. Its figures rank ways; they foretell nobody's production.
 */

import { ours } from "./queue-sim/ours.ts";
import { atOnce, fixed } from "./queue-sim/plain.ts";
import { LATEST_MS, play, type Result } from "./queue-sim/ways.ts";
import { count, judge, readNumber } from "./support/numbers.ts";

process.once("SIGINT", () => process.exit(130));

const jobs = readNumber(process.argv, "jobs", 40_000);
const workers = readNumber(process.argv, "workers", 5);
const seeds = readNumber(process.argv, "seeds", 2);
const atATime = readNumber(process.argv, "fixed", 40);
const MAX_RATIO = 0.1;

const clock = (ms: number) => {
  const minutes = Math.round(15 * 60 + ms / 60_000);
  const days = Math.floor(minutes / 1_440);
  const hour = String(Math.floor(minutes / 60) % 24).padStart(2, "0");
  return `${hour}:${String(minutes % 60).padStart(2, "0")}${days > 0 ? ` +${days} d` : ""}`;
};

function row({ name, done, late, errors, calls, lastMs, tookMs }: Result): string {
  return [
    name.padEnd(16),
    count(done).padStart(8),
    count(late).padStart(8),
    errors.toFixed(3).padStart(10),
    calls.toFixed(2).padStart(10),
    clock(lastMs).padStart(12),
    `${(tookMs / 1_000).toFixed(1)} s`.padStart(10),
  ].join("");
}

const HEAD = `${"".padEnd(16)}${["done", "late", "errors/job", "calls/job", "last done", "played in"]
  .map((word, i) => word.padStart([8, 8, 11, 10, 12, 10][i] ?? 10))
  .join("")}`;

let isMet = true;
for (let seed = 1; seed <= seeds; seed++) {
  console.log(
    `\nseed ${seed}: ${count(jobs)} jobs, handed over at 15:00, latest ${clock(LATEST_MS)}\n${HEAD}`,
  );
  const results: Result[] = [];
  for (const way of [atOnce, fixed(atATime), ours(workers)]) {
    const result = await play(way, jobs, seed);
    results.push(result);
    console.log(row(result));
  }
  const [all, , own] = results;
  if (all === undefined || own === undefined) throw new Error("nothing was played");
  const ratio = own.errors / all.errors;
  const isInTime = own.late === 0;
  isMet &&= isInTime && ratio <= MAX_RATIO;
  console.log(`late with busyhour: ${count(own.late).padEnd(24)} ${judge(isInTime, "none")}`);
  console.log(
    `errors against all at once: ${ratio.toFixed(3).padEnd(16)} ${judge(ratio <= MAX_RATIO, `≤ ${MAX_RATIO}`)}`,
  );
}
if (!isMet) process.exitCode = 1;
