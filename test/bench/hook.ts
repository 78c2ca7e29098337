/**
 * What `observe` costs: CPU and memory per call against OpenTelemetry's instrumentation of fetch in the same run, and
 * what it adds to streams against bare fetch. Each way of watching has a process of its own; they take turns.
 *
 *   npm run bench:hook -- [--calls 2000] [--rounds 9] [--held 1000] [--streams 400] [--megabytes 48]
 */
import type { Order } from "./support/hook-process.ts";
import { startWorkers, type Worker } from "./support/hook-workers.ts";
import type { HookName } from "./support/hooks.ts";
import { startModelServer } from "./support/model-server.ts";
import { count, judge, median, quantile, readNumber } from "./support/numbers.ts";

const MAX_RATIO = 0.5;
const MAX_ADDED_US = 50;
const MIN_THROUGHPUT = 0.95;
const BURST_BYTES = 65_536;
const WARM_UP_STREAMS = 300;

const calls = readNumber(process.argv, "calls", 2_000);
const rounds = readNumber(process.argv, "rounds", 9);
const held = readNumber(process.argv, "held", 1_000);
const streams = readNumber(process.argv, "streams", 400);
const megabytes = readNumber(process.argv, "megabytes", 48);

type Costs = ReadonlyMap<HookName, readonly number[]>;

/** Costs by hook, a value per round; who begins a round changes. */
async function measureInTurns(workers: readonly Worker[], order: Order, turns: number): Promise<Costs> {
  const costs = new Map<HookName, number[]>(workers.map(({ name }) => [name, []]));
  for (let turn = 0; turn < turns; turn++) {
    for (let at = 0; at < workers.length; at++) {
      const worker = workers[(turn + at) % workers.length];
      if (worker !== undefined) costs.get(worker.name)?.push(await worker.order(order));
    }
  }
  return costs;
}

const costsOf = (costs: Costs, name: HookName) => costs.get(name) ?? [];

/** What a hook adds to bare fetch: the median of the differences within rounds. */
function added(costs: Costs, name: HookName): number {
  const bare = costsOf(costs, "bare");
  return median(costsOf(costs, name).map((cost, round) => cost - (bare[round] ?? Number.NaN)));
}

function reportAgainstOpenTelemetry(costs: Costs, unit: string, format: (value: number) => string): void {
  const [own, other] = [added(costs, "observe"), added(costs, "opentelemetry")];
  console.log(`  bare fetch      ${format(median(costsOf(costs, "bare"))).padStart(8)} ${unit}`);
  console.log(`  observe        +${format(own).padStart(8)} ${unit}`);
  console.log(`  OpenTelemetry  +${format(other).padStart(8)} ${unit}`);
  const verdict = judge(own <= MAX_RATIO * other, `≤ ${MAX_RATIO}`);
  console.log(`  ratio           ${(own / other).toFixed(2).padStart(8)}  ${verdict}`);
}

async function measureCalls(workers: readonly Worker[]): Promise<void> {
  await measureInTurns(workers, { kind: "calls", calls }, 2);
  const cpu = await measureInTurns(workers, { kind: "calls", calls }, rounds);
  console.log(
    `\nCPU per call, medians of ${rounds} rounds of ${count(calls)} calls; reports and spans are sent`,
  );
  reportAgainstOpenTelemetry(cpu, "µs", (value) => value.toFixed(1));
  await measureInTurns(workers, { kind: "held", calls: held }, 2);
  const bytes = await measureInTurns(workers, { kind: "held", calls: held }, rounds);
  console.log(`\nMemory held per call under way, ${count(held)} at once`);
  reportAgainstOpenTelemetry(bytes, "bytes", count);
}

/** Microseconds until the first chunk, bare and observed. */
async function measureFirst(workers: readonly Worker[]): Promise<[number[], number[]]> {
  const worker = workers.find(({ name }) => name === "observe");
  const times: [number[], number[]] = [[], []];
  for (let i = 0; worker !== undefined && i < streams + WARM_UP_STREAMS; i++) {
    for (const isBare of i % 2 === 0 ? [true, false] : [false, true]) {
      const us = await worker.order({ kind: "first", isBare });
      if (i >= WARM_UP_STREAMS) times[isBare ? 0 : 1].push(us);
    }
  }
  return times;
}

async function measureStreams(workers: readonly Worker[]): Promise<void> {
  const [bare, observed] = await measureFirst(workers);
  const addedUs = median(observed) - median(bare);
  console.log(`\nFirst chunk of a stream, ${count(streams)} streams each, in turns in one process`);
  console.log(
    `  bare fetch      ${count(median(bare)).padStart(8)} µs (a quarter ≤ ${count(quantile(bare, 0.25))}, p95 ${count(quantile(bare, 0.95))})`,
  );
  console.log(
    `  observe        +${addedUs.toFixed(1).padStart(8)} µs (a quarter ≤ ${count(quantile(observed, 0.25))})  ${judge(addedUs < MAX_ADDED_US, `< ${MAX_ADDED_US} µs`)}`,
  );

  const bursts = Math.ceil((megabytes * 1_048_576) / BURST_BYTES);
  await measureInTurns(workers, { kind: "whole", bursts }, 2);
  console.log(`\nThroughput of a stream of ${megabytes} MiB, medians of ${2 * rounds} rounds`);
  for (const kind of ["whole", "wholeCpu"] as const) {
    const costs = await measureInTurns(workers, { kind, bursts }, 2 * rounds);
    const bareMs = costsOf(costs, "bare");
    const ratios = costsOf(costs, "observe").map((ms, round) => (bareMs[round] ?? Number.NaN) / ms);
    const spread = `${quantile(ratios, 0.1).toFixed(2)}–${quantile(ratios, 0.9).toFixed(2)}`;
    const rate = count(megabytes / (median(bareMs) / 1_000));
    const verdict = judge(median(ratios) >= MIN_THROUGHPUT, `≥ ${MIN_THROUGHPUT}`);
    console.log(`  bare fetch      ${rate.padStart(8)} MiB per second${kind === "whole" ? "" : " of CPU"}`);
    console.log(`  observe         ${median(ratios).toFixed(3).padStart(8)} of it (${spread})  ${verdict}`);
  }
}

const server = await startModelServer();
const workers = await startWorkers(["bare", "observe", "opentelemetry"], server.url);
try {
  await measureCalls(workers);
  await measureStreams(workers.filter(({ name }) => name !== "opentelemetry"));
} finally {
  for (const worker of workers) worker.stop();
  server.stop();
}
