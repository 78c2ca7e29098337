import { createRouter } from "@busyhour/sdk";
import {
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleAll,
  retry,
  TimeoutStrategy,
  timeout,
  wrap,
} from "cockatiel";

type Call = () => Promise<string>;

/** Ways of guarding a call, the bare one first. */
export const GUARDS = {
  bare: (call: Call) => call,
  busyhour: (call: Call) => {
    const router = createRouter<string, string>({
      providers: { one: call },
      chain: {
        targets: [
          { id: "flagship", provider: "one", model: "big" },
          { id: "standard", provider: "one", model: "middle" },
          { id: "light", provider: "one", model: "small" },
        ],
        floor: "light",
      },
    });
    return () => router.run("hi");
  },
  cockatiel: (call: Call) => {
    const policy = wrap(
      retry(handleAll, { maxAttempts: 5, backoff: new ExponentialBackoff() }),
      circuitBreaker(handleAll, { halfOpenAfter: 10_000, breaker: new ConsecutiveBreaker(5) }),
      timeout(30_000, TimeoutStrategy.Aggressive),
      bulkhead(10_000, 10_000),
    );
    return () => policy.execute(call);
  },
} satisfies Record<string, (call: Call) => () => Promise<unknown>>;

export type GuardName = keyof typeof GUARDS;

const collect = () => (globalThis as { gc?: () => void }).gc?.();

/** Until everything is compiled for good: what is not yet makes several times as much. */
const WARM_UP = 20_000;

const guarded = new Map<GuardName, () => Promise<unknown>>();

async function warmUp(name: GuardName): Promise<() => Promise<unknown>> {
  const known = guarded.get(name);
  const run = known ?? GUARDS[name](async () => "hello");
  guarded.set(name, run);
  for (let i = 0; i < (known === undefined ? WARM_UP : 1_000); i++) await run();
  collect();
  return run;
}

/** Microseconds of the processor for a run, one after the other: other programs that run meanwhile cost nothing. */
export async function measureTime(name: GuardName, runs: number): Promise<number> {
  const run = await warmUp(name);
  const before = process.cpuUsage();
  for (let i = 0; i < runs; i++) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / runs;
}

/** Bytes that a run makes. */
export async function measureMemory(name: GuardName, runs: number): Promise<number> {
  const run = await warmUp(name);
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < runs; i++) await run();
  return (process.memoryUsage().heapUsed - before) / runs;
}

/** Bytes that a run holds while its target takes its time. */
export async function measureHeld(name: GuardName, runs: number): Promise<number> {
  const open: ((answer: string) => void)[] = [];
  let isSlow = false;
  const run = GUARDS[name](() =>
    isSlow ? new Promise((resolve) => open.push(resolve)) : Promise.resolve("hello"),
  );
  // A router's limit is only as high as it has seen to be good.
  for (let batch = 0; batch < 12; batch++) await Promise.all(Array.from({ length: 256 }, () => run()));
  isSlow = true;
  const few = Math.min(runs, 250);
  collect();
  const before = process.memoryUsage().heapUsed;
  const all = Array.from({ length: few }, () => run());
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const bytes = (process.memoryUsage().heapUsed - before) / few;
  for (const answer of open) answer("hello");
  await Promise.all(all);
  return bytes;
}
