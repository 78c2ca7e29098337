import { type Answer, createAsk } from "../batch/ask.ts";
import type { RouterSystem } from "../router/system.ts";
import { type Ending, endingOf } from "./ending.ts";
import { isJobError } from "./job-error.ts";
import type { HandleJob, QueueJob, WorkOptions } from "./types.ts";

/** How a handler ended. */
export type AttemptEnd =
  | { readonly is: "answered"; readonly answer: Answer<unknown> }
  /** It said by itself what that means. */
  | { readonly is: "said"; readonly ending: Ending };

export type Attempt<Payload> = (job: QueueJob<Payload>, signal: AbortSignal) => Promise<AttemptEnd>;

/** What a `JobError` is carried in, past those who name failures. */
class Said {
  readonly ending: Ending;
  constructor(ending: Ending) {
    this.ending = ending;
  }
}

/** Runs a handler within its time; never rejects. */
export function createAttempt<Payload>(
  handler: HandleJob<Payload>,
  options: WorkOptions,
  system: RouterSystem,
): Attempt<Payload> {
  const { timeoutMs, classify, provider, model } = options;
  const given = {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(classify === undefined ? {} : { classify }),
  };
  const makeAsk = (whom: { provider?: string | undefined; model?: string | undefined }) =>
    createAsk<QueueJob<Payload>, unknown>(
      {
        ...given,
        ...(whom.provider === undefined ? {} : { provider: whom.provider }),
        ...(whom.model === undefined ? {} : { model: whom.model }),
        run: async (job, { signal }) => {
          try {
            return await handler(job, { signal });
          } catch (error) {
            if (isJobError(error)) return new Said(endingOf(error));
            throw error;
          }
        },
      },
      system,
    );
  const usual = makeAsk({ provider, model });
  return async (job, signal) => {
    const ask =
      provider === undefined && model === undefined && job.target !== null ? makeAsk(job.target) : usual;
    const answer = await ask({ item: job, index: 0, attempt: job.attempt, signal });
    return answer.outcome === "ok" && answer.value instanceof Said
      ? { is: "said", ending: answer.value.ending }
      : { is: "answered", answer };
  };
}
