import { createHash } from "node:crypto";
import path from "node:path";
import { type HandleJob, JobError, type JobResult, type OpenBatchStore, type QueueJob } from "@busyhour/sdk";
import { type Endpoint, HttpFailure } from "./batch-endpoint.ts";
import { type BatchRequest, type InputSettings, toRequest } from "./batch-input.ts";

export interface JobHandlerParts {
  readonly endpoint: Endpoint;
  /** Where answers go. */
  readonly results: OpenBatchStore;
  /** Name of that place. */
  readonly output: string;
  readonly input: InputSettings;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Asks the endpoint for a job's payload and keeps the answer before the job is done. What is kept already is not asked
 * again: the worker died, or lost the network, after it was written.
 */
export function createJobHandler({
  endpoint,
  results,
  output,
  input,
  now,
}: JobHandlerParts): HandleJob<unknown> {
  const kept = new Map<string, string>();
  for (const { id, outcome, input: asked } of results.finished)
    if (outcome === "ok") kept.set(String(id), asked);
  return async (job, { signal }): Promise<JobResult> => {
    const { idempotencyKey, id, attempt } = job;
    const place = { reference: `${path.basename(output)}#${idempotencyKey}`.slice(0, 500) };
    const request = readRequest(job, input);
    const asked = createHash("sha256").update(JSON.stringify(request)).digest("hex").slice(0, 32);
    if (kept.get(idempotencyKey) === asked) return place;
    const startedMs = now();
    const value = await endpoint.ask(request, signal);
    // An error that came with a good status is named like any other.
    if (isError(value, request)) throw new HttpFailure(200, new Headers(), JSON.stringify(value));
    await results.add({
      id: idempotencyKey,
      index: id,
      outcome: "ok",
      value,
      attempts: attempt,
      target: null,
      latencyMs: now() - startedMs,
      finishedAt: new Date(now()).toISOString(),
      input: asked,
    });
    kept.set(idempotencyKey, asked);
    return place;
  };
}

/** @throws {JobError} that is final: no other attempt would find another payload */
function readRequest({ payload, target }: QueueJob, input: InputSettings): BatchRequest {
  if (payload === undefined)
    throw new JobError("it has no payload; busyhour work needs one: a prompt, a chat or a request", {
      isFinal: true,
    });
  const settings = { ...input, model: target?.model ?? input.model };
  try {
    return toRequest(typeof payload === "string" ? { prompt: payload } : payload, settings);
  } catch (error) {
    throw new JobError(`its payload ${error instanceof Error ? error.message : String(error)}`, {
      isFinal: true,
    });
  }
}

function isError(value: unknown, { isWhole }: BatchRequest): boolean {
  if (typeof value !== "object" || value === null) return true;
  return isWhole ? "error" in value && value.error !== null : !("text" in value);
}
