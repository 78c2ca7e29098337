/**
 * What a router adds to a call: time and memory of `router.run` on a target that answers at once, beside cockatiel's
 * retry, circuit breaker, time-out and bulkhead around the same call. Each has a process of its own; they take turns.
 *
 *   npm run bench:router-overhead -- [--runs 20000] [--rounds 9]
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { GUARDS, type GuardName, measureHeld, measureMemory, measureTime } from "./router-sim/overhead.ts";
import { count, judge, median, readNumber } from "./support/numbers.ts";

const MAX_US = 20;
const MAX_BYTES = 2_048;
const NAMES = Object.keys(GUARDS) as GuardName[];

interface Order {
  readonly kind: "time" | "memory" | "held";
  readonly runs: number;
}

const MEASURES = { time: measureTime, memory: measureMemory, held: measureHeld };

function serve(name: GuardName): void {
  process.on("message", async ({ kind, runs }: Order) => process.send?.(await MEASURES[kind](name, runs)));
}

async function measureAll(): Promise<void> {
  const runs = readNumber(process.argv, "runs", 20_000);
  const rounds = readNumber(process.argv, "rounds", 9);
  // Room for all that a round makes: what is collected in between cannot be counted.
  const execArgv = [
    ...process.execArgv,
    "--expose-gc",
    "--min-semi-space-size=256",
    "--max-semi-space-size=256",
  ];
  const workers = new Map<GuardName, ChildProcess>(
    NAMES.map((name) => [name, fork(import.meta.filename, ["worker", name], { execArgv })]),
  );
  const ask = async (name: GuardName, order: Order): Promise<number> => {
    const worker = workers.get(name);
    if (worker === undefined) throw new Error(`no worker ${name}`);
    worker.send(order);
    const [answer] = await once(worker, "message");
    return answer as number;
  };
  const measure = async (kind: Order["kind"], size: number) => {
    const all = new Map<GuardName, number[]>(NAMES.map((name) => [name, []]));
    for (let round = -2; round < rounds; round++) {
      for (const name of NAMES) {
        const value = await ask(name, { kind, runs: size });
        if (round >= 0) all.get(name)?.push(value);
      }
    }
    return (name: GuardName) => median(all.get(name) ?? []);
  };
  try {
    const time = await measure("time", runs);
    const memory = await measure("memory", 5_000);
    const held = await measure("held", 2_000);
    console.log(
      `Medians of ${rounds} rounds; added to the bare call, which takes ${time("bare").toFixed(2)} µs`,
    );
    for (const name of NAMES.filter((one) => one !== "bare")) {
      const [us, bytes, heldBytes] = [time, memory, held].map((of) => of(name) - of("bare"));
      console.log(
        `  ${name.padEnd(10)} ${us?.toFixed(2).padStart(7)} µs  ${count(bytes ?? 0).padStart(7)} bytes made  ${count(heldBytes ?? 0).padStart(7)} held while under way`,
      );
    }
    const [us, bytes] = [time("busyhour") - time("bare"), memory("busyhour") - memory("bare")];
    const verdicts = [
      [`time of a run, µs: ${us.toFixed(2)}`, us <= MAX_US, `≤ ${MAX_US}`],
      [`bytes of a run: ${count(bytes)}`, bytes <= MAX_BYTES, `≤ ${MAX_BYTES}`],
      ["time against cockatiel's", us <= time("cockatiel") - time("bare"), "≤ 1"],
      ["bytes against cockatiel's", bytes <= memory("cockatiel") - memory("bare"), "≤ 1"],
    ] as const;
    for (const [what, isMet, want] of verdicts) console.log(`  ${what.padEnd(34)} ${judge(isMet, want)}`);
    if (verdicts.some(([, isMet]) => !isMet)) process.exitCode = 1;
  } finally {
    for (const worker of workers.values()) worker.disconnect();
  }
}

if (process.argv[2] === "worker") serve(process.argv[3] as GuardName);
else await measureAll();
