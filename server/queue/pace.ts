/** A worker as it last spoke. */
export interface SeenWorker {
  readonly queue: string;
  readonly worker: string;
  readonly concurrency: number | null;
  readonly lastSeenAt: Date;
}

/** Who was not heard of for so long is not counted on: a worker asks, or extends its leases, more often. */
const ALIVE_MS = 3 * 60_000;

/**
 * Jobs a minute that the workers of a queue can do, were there room: how many they run at once, by how long one takes.
 *
 * @param meanMs how long one takes; `null`: nobody knows
 */
export function paceOf(workers: readonly SeenWorker[], meanMs: number | null, nowMs: number): number {
  const atOnce = workers
    .filter(({ lastSeenAt }) => nowMs - lastSeenAt.getTime() < ALIVE_MS)
    .reduce((sum, { concurrency }) => sum + (concurrency ?? 1), 0);
  return (atOnce * 60_000) / Math.max(100, meanMs ?? USUAL_MS);
}

const USUAL_MS = 30_000;
