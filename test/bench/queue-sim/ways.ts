import { afterPromises, createVirtualTime, type VirtualTime } from "../../../sdk/src/router/virtual-time.ts";
import { Provider } from "./provider.ts";

/** Monday, when the task is handed over. */
const HANDED_OVER = Date.parse("2026-11-30T15:00:00Z");
/** Tuesday, by when it shall be done. */
export const LATEST_MS = 17 * 3_600_000;

export interface World {
  readonly time: VirtualTime;
  readonly provider: Provider;
  readonly seed: number;
  readonly jobs: number;
}

export interface Result {
  readonly name: string;
  readonly done: number;
  /** Done after the latest time, or not at all. */
  readonly late: number;
  /** Capacity errors a job. */
  readonly errors: number;
  readonly calls: number;
  /** When the last job was done; milliseconds since it was handed over. */
  readonly lastMs: number;
  /** Real milliseconds that it took to play. */
  readonly tookMs: number;
}

export interface Way {
  readonly name: string;
  /** Begins the work; `onDone` is called once for each job. */
  begin(world: World, onDone: (job: number) => void): { end(): Promise<unknown> };
}

/** Plays one way of doing the jobs in a world of its own. */
export async function play(way: Way, jobs: number, seed: number): Promise<Result> {
  const startedMs = performance.now();
  const time = createVirtualTime(seed, HANDED_OVER, afterPromises);
  const provider = new Provider(time, seed);
  const doneMs = new Map<number, number>();
  let isOver = false;
  const { end } = way.begin({ time, provider, seed, jobs }, (job) => {
    if (doneMs.has(job)) throw new Error(`job ${job} was done twice`);
    doneMs.set(job, time.elapsed());
  });
  for (let hour = 1; hour <= 48 && doneMs.size < jobs; hour++) await time.run(hour * 3_600_000);
  const { calls, refused } = provider.counts;
  void end().then(() => {
    isOver = true;
  });
  for (let minutes = 0; !isOver && minutes < 60; minutes++) await time.run(time.elapsed() + 60_000);
  const times = [...doneMs.values()];
  const inTime = times.filter((ms) => ms <= LATEST_MS).length;
  return {
    name: way.name,
    done: times.length,
    late: jobs - inTime,
    errors: refused / jobs,
    calls: calls / jobs,
    lastMs: times.reduce((most, ms) => Math.max(most, ms), 0),
    tookMs: performance.now() - startedMs,
  };
}
