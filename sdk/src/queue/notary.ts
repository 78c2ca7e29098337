import { getPauseAfterFailure } from "../router/sync/pauses.ts";
import type { RouterSystem } from "../router/system.ts";
import type { Ending } from "./ending.ts";
import type { QueueAnswer, QueueClient } from "./queue-client.ts";

/** Sees to it that the server knows how an attempt ended. */
export interface Notary {
  /**
   * Tells it until it is heard, however long the server is away; sent again it is answered the same. `lost`: the lease had
   * ended before, or the time to tell it is over: the job comes back by itself.
   */
  note(job: { readonly id: number; readonly token: string }, ending: Ending): Promise<"noted" | "lost">;
  /** What waits to be told again is told now. */
  wake(): void;
  /** What is not told yet. */
  readonly pending: number;
}

interface NotaryParts {
  readonly client: QueueClient;
  readonly system: RouterSystem;
  readonly onAnswer: (answer: QueueAnswer, job: number) => void;
  /** Until when it is tried, on the clock of `elapsed`. */
  readonly untilMs: () => number;
}

const TIMEOUT_MS = 10_000;
/** After the end it is tried this long at least: what was done shall not be done again. */
const LAST_WORD_MS = 5_000;

export function createNotary({ client, system, onAnswer, untilMs }: NotaryParts): Notary {
  const sleepers = new Set<() => void>();
  let pending = 0;

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        sleepers.delete(wake);
        resolve();
      };
      const cancel = system.setTimer(wake, ms);
      sleepers.add(wake);
    });
  }

  async function tell(id: number, verb: string, body: object): Promise<"noted" | "lost"> {
    const startedMs = system.elapsed();
    for (let failures = 1; ; failures++) {
      const answer = await client.post(`/v1/jobs/${id}/${verb}`, body, TIMEOUT_MS);
      if (answer.is === "ok") return "noted";
      onAnswer(answer, id);
      if (answer.is === "refused") return "lost";
      const leftMs = Math.max(untilMs(), startedMs + LAST_WORD_MS) - system.elapsed();
      if (leftMs <= 0) return "lost";
      const pauseMs = getPauseAfterFailure({ ...answer, failures }, () => system.random());
      await sleep(Math.min(pauseMs, leftMs));
    }
  }

  return {
    async note({ id, token }, { verb, body }) {
      pending++;
      try {
        return await tell(id, verb, { token, ...body });
      } finally {
        pending--;
      }
    },
    wake() {
      for (const wake of [...sleepers]) wake();
    },
    get pending() {
      return pending;
    },
  };
}
