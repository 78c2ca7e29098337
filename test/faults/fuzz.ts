/**
 * Fuzzes a server of its own over all routes of its /openapi.json, as callers of two projects and strangers, and
 * misuses raw connections meanwhile: no crash, no failure of ours, no word of the other project, memory bounded.
 *
 *   npx tsx test/faults/fuzz.ts --requests 1000000
 *   npx tsx test/faults/fuzz.ts --requests 1000 --seed 4711      the batch that a fault names
 */
import { count, readNumber } from "../bench/support/numbers.ts";
import { type FuzzReport, runFuzz } from "./support/fuzz/run-fuzz.ts";

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(130));

const requests = readNumber(process.argv, "requests", 1_000_000);
const seed = readNumber(process.argv, "seed", Math.floor(Math.random() * 1_000_000_000) + 1);
const startedAt = performance.now();
console.log(`seed ${seed}`);
let faultsSaid = 0;

function sayProgress({ requests: sent, sockets, statuses, faults, memoryMib }: FuzzReport): void {
  for (const fault of faults.slice(faultsSaid)) console.log(`FAULT ${fault}`);
  faultsSaid = faults.length;
  if (memoryMib.length % 10 !== 0) return;
  const perSecond = sent / ((performance.now() - startedAt) / 1_000);
  const parts = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${status} × ${count(times)}`);
  console.log(
    `${count(sent)} requests, ${count(sockets)} sockets, ${count(perSecond)}/s, ${memoryMib.at(-1)} MiB, ${faults.length} faults: ${parts.join(", ")}`,
  );
}

const report = await runFuzz({ requests, seed, onProgress: sayProgress });
for (const [route, { sent, good }] of [...report.routes].sort(([a], [b]) => a.localeCompare(b))) {
  console.log(`${route.padEnd(36)} ${count(sent).padStart(9)} sent ${count(good).padStart(9)} succeeded`);
}
const memory = report.memoryMib;
console.log(
  `${count(report.requests)} requests and ${count(report.sockets)} misused connections in ` +
    `${count((performance.now() - startedAt) / 1_000)} s; memory ${memory[0]} MiB after the first batch, ` +
    `${Math.max(...memory)} at most, ${memory.at(-1)} at the end; slowest ${count(report.slowestMs)} ms: ${report.slowest}`,
);
for (const fault of report.faults.slice(faultsSaid)) console.log(`FAULT ${fault}`);
console.log(report.faults.length === 0 ? "no fault" : `${report.faults.length} faults`);
process.exitCode = report.faults.length === 0 ? 0 : 1;
