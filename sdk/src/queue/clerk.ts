import { createUuidV7 } from "../report/uuid-v7.ts";
import { isRouterError, RouterError } from "../router/router-error.ts";
import { getPauseAfterFailure } from "../router/sync/pauses.ts";
import type { RouterSystem } from "../router/system.ts";
import { connectToQueue } from "./connect.ts";
import type { QueueClient } from "./queue-client.ts";
import type { QueuedRun, Ticket, TicketJob } from "./ticket.ts";

interface ClerkParts {
  readonly router: object;
  /** Name of the router's chain. */
  readonly chain: string;
  readonly system: RouterSystem;
}

/** Makes of a request's error a ticket, where waiting mends it; throws it where not. */
export type Clerk = (error: unknown, signal: AbortSignal | undefined) => Promise<QueuedRun>;

const TRIES = 3;
const TIMEOUT_MS = 5_000;

/**
 * Whoever puts a request into the queue for which all models are busy, or whose time was over before one had answered.
 *
 * @throws {TypeError} where it could not be put there: told before the request begins, not when it is needed
 */
export function createClerk(whenBusy: unknown, job: TicketJob | undefined, parts: ClerkParts): Clerk {
  const { system, router, chain } = parts;
  const fault = findFault(whenBusy, job);
  if (fault !== null || job === undefined) throw new TypeError(`router.run: ${fault}`);
  const client = connectToQueue("router.run: job.server", { router, ...job.server }, system);
  return async (error, signal) => {
    if (!isRouterError(error) || !(error.kind === "busy" || error.kind === "deadline")) throw error;
    const { server: _, ...given } = job;
    // Sent again, it is the same job.
    const key = job.key ?? `ticket-${createUuidV7((bytes) => system.fillRandom(bytes))(system.now())}`;
    const body = { jobs: [{ ...(job.target === undefined ? { chain } : {}), ...given, key }] };
    const told = await submit(client, body, system, signal);
    if (typeof told !== "string") return { ticket: { ...told, key, queue: job.queue ?? "default" }, error };
    throw new RouterError(error.kind, `${error.message}; and it could not be queued: ${told}`, {
      attempts: error.attempts,
      retryAfterMs: error.retryAfterMs,
      cause: error.cause,
    });
  };
}

function findFault(whenBusy: unknown, job: TicketJob | undefined): string | null {
  if (whenBusy !== "queue") return `whenBusy must be “queue”, not ${String(whenBusy)}`;
  if (typeof job !== "object" || job === null)
    return "job must say what is queued: { reference } or { payload }";
  if (job.reference === undefined && job.payload === undefined)
    return "job must have a reference by which its worker finds the work, or a payload";
  return null;
}

/** @returns the job, or in words why there is none */
async function submit(
  client: QueueClient,
  body: object,
  system: RouterSystem,
  signal: AbortSignal | undefined,
): Promise<Pick<Ticket, "id" | "isNew"> | string> {
  for (let failures = 1; ; failures++) {
    if (signal?.aborted) return "the caller wants it no more";
    const answer = await client.post("/v1/jobs", body, TIMEOUT_MS, signal);
    if (answer.is === "ok") {
      const [first] = (answer.body["jobs"] ?? []) as Partial<Ticket>[];
      if (typeof first?.id === "number") return { id: first.id, isNew: first.isNew === true };
      return "the server's answer cannot be read";
    }
    if (answer.is === "refused") return `the server refused it (${answer.status}${answer.words})`;
    if (answer.isLasting || failures === TRIES) return answer.problem.message;
    const pauseMs = getPauseAfterFailure({ failures, askedMs: null, isLasting: false }, () =>
      system.random(),
    );
    await new Promise<void>((resolve) => system.setTimer(resolve, pauseMs));
  }
}
