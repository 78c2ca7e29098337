import {
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleAll,
  type IPolicy,
  retry,
  TimeoutStrategy,
  timeout,
  wrap,
} from "cockatiel";
import type { Policy } from "./simulate.ts";

/** Around each model cockatiel's retry, circuit breaker and time-out, as its README puts them together; down the list. */
export const cockatiel: Policy = (world) => {
  const guards = new Map<string, IPolicy>(
    world.models.map(({ id }) => [
      id,
      wrap(
        retry(handleAll, { maxAttempts: 2, backoff: new ExponentialBackoff() }),
        circuitBreaker(handleAll, { halfOpenAfter: 10_000, breaker: new ConsecutiveBreaker(5) }),
        timeout(30_000, TimeoutStrategy.Aggressive),
      ),
    ]),
  );
  return async (request) => {
    for (const [id, guard] of guards) {
      try {
        await guard.execute(async () => {
          const { kind } = await world.call(request, id, 1e6);
          if (kind !== "ok") throw new Error(kind);
        });
        return id;
      } catch {
        if (world.nowS() >= request.deadlineS) return null;
      }
    }
    return null;
  };
};
