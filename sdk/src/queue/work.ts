import { createUuidV7 } from "../report/uuid-v7.ts";
import { MOST } from "../router/parts/limiter.ts";
import { realRouterSystem } from "../router/system.ts";
import { connectToQueue } from "./connect.ts";
import type { HandleJob, QueueWorker, WorkOptions } from "./types.ts";
import { Worker } from "./worker.ts";
import type { WorkSettings } from "./worker-parts.ts";

/**
 * Does the jobs of a queue, in this process, as many at once as there is room for, until it is stopped. While the server is
 * away, or there is no room, it waits and goes on by itself.
 *
 * @throws {TypeError} for options that cannot be used; nothing else is ever thrown
 * @see docs/queue.md#workers
 */
export function work<Payload = unknown>(
  queue: string,
  handler: HandleJob<Payload>,
  options: WorkOptions = {},
): QueueWorker {
  const settings = readSettings(queue, handler, options);
  const system = options.system ?? realRouterSystem;
  const client = connectToQueue("work", options, system);
  return new Worker({
    queue,
    handler,
    options,
    settings: {
      ...settings,
      name: options.name ?? `worker-${createUuidV7((bytes) => system.fillRandom(bytes))(system.now())}`,
    },
    client,
    system,
  });
}

const RANGES = {
  concurrency: [1, 10_000, MOST],
  leaseMs: [5_000, 600_000, 60_000],
  graceMs: [0, Number.POSITIVE_INFINITY, 30_000],
  timeoutMs: [1, Number.POSITIVE_INFINITY, 600_000],
} as const;

function readSettings(queue: unknown, handler: unknown, options: WorkOptions): Omit<WorkSettings, "name"> {
  const fail = (what: string) => {
    throw new TypeError(`work: ${what}`);
  };
  const isName = (name: unknown) => typeof name === "string" && name !== "" && name.length <= 100;
  if (!isName(queue)) fail("queue must be a name of up to 100 characters");
  if (typeof handler !== "function") fail("handler must be a function that does one job");
  if (options.name !== undefined && !isName(options.name))
    fail("name must be a text of up to 100 characters");
  const read = (name: keyof typeof RANGES): number => {
    const [least, most, usual] = RANGES[name];
    const value = options[name] ?? usual;
    if (!(typeof value === "number" && value >= least && value <= most))
      fail(`${name} must be a number from ${least} to ${most}, not ${String(value)}`);
    return value;
  };
  read("timeoutMs");
  return {
    concurrency: Math.floor(read("concurrency")),
    leaseMs: Math.floor(read("leaseMs")),
    graceMs: read("graceMs"),
  };
}
