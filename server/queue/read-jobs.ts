import { MAX_PAYLOAD_BYTES, MAX_PAYLOAD_DEPTH } from "../contract/job.ts";
import { newJob, newJobs } from "../contract/job-submission.ts";
import type { QueueSettings } from "../contract/queue.ts";
import { AppError, type FieldFault } from "../http/app-error.ts";
import { readDocument } from "../http/body.ts";
import { invalidBody, parse } from "../http/parse.ts";
import { HOUR_MS } from "../rollup/levels.ts";

const YEAR_MS = 366 * 24 * HOUR_MS;

/** A job as it was handed over, with what the request says of all of them. */
export interface ReadJob {
  readonly queue: string;
  /** `null`: whoever asks. */
  readonly submitter: string | null;
  readonly key: string | null;
  readonly reference: string | null;
  /** As JSON. */
  readonly payload: string | null;
  readonly payloadBytes: number | null;
  readonly isOffPeak: boolean;
  readonly notBeforeMs: number | null;
  readonly notAfterMs: number | null;
  readonly expectedMs: number;
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
  readonly chain: string;
  readonly priority: "high" | "normal" | "low";
  readonly maxAttempts: number;
  readonly notify: number | null;
}

/**
 * The jobs of a body, each with the common fields of the request where it has none of its own.
 *
 * @throws AppError 400, 409, 422 with every fault
 */
export function readJobs(body: Buffer, settings: QueueSettings, nowMs: number): ReadJob[] {
  const document = readDocument(body);
  const { jobs } = parse(newJobs, mergeDefaults(document), "/");
  const faults: FieldFault[] = [];
  const read = jobs.map((job, i) => {
    const fault = (name: string, detail: string) => faults.push({ pointer: `/jobs/${i}/${name}`, detail });
    const isTooDeep = isDeeper(job.payload, MAX_PAYLOAD_DEPTH);
    if (isTooDeep) fault("payload", `is nested deeper than ${MAX_PAYLOAD_DEPTH}`);
    const payload = job.payload === undefined || isTooDeep ? null : JSON.stringify(job.payload);
    const payloadBytes = payload === null ? null : Buffer.byteLength(payload);
    const isTime = job.when !== "now" && job.when !== "offPeak";
    const notBeforeMs = isTime ? Date.parse(job.when) : null;
    const notAfterMs = job.notAfter === undefined ? null : Date.parse(job.notAfter);
    if (job.payload !== undefined && !settings.storesPayloads) throw payloadsNotStored();
    if (payloadBytes !== null && payloadBytes > MAX_PAYLOAD_BYTES)
      fault(
        "payload",
        `has ${payloadBytes} bytes; ${MAX_PAYLOAD_BYTES} are taken. Store it and send a reference`,
      );
    if (job.when === "offPeak" && job.target === undefined && job.chain === undefined)
      fault("when", "is offPeak: name the target or the chain whose good windows are meant");
    if (notAfterMs !== null && notAfterMs <= nowMs) fault("notAfter", "is over");
    if (notBeforeMs !== null && notAfterMs !== null && notAfterMs <= notBeforeMs)
      fault("notAfter", "is before the time that it waits for");
    if (Math.max(notBeforeMs ?? 0, notAfterMs ?? 0) > nowMs + YEAR_MS)
      fault(isTime ? "when" : "notAfter", "is more than a year ahead");
    const keptToMs = nowMs + settings.payloadHours * HOUR_MS;
    if (payload !== null && Math.max(notBeforeMs ?? 0, notAfterMs ?? 0) > keptToMs)
      fault(
        "payload",
        `is kept for ${settings.payloadHours} hours, and the job may run later: send a reference, or change payloadHours`,
      );
    return {
      queue: job.queue,
      submitter: job.submitter ?? null,
      key: job.key ?? null,
      reference: job.reference ?? null,
      payload,
      payloadBytes,
      isOffPeak: job.when === "offPeak",
      notBeforeMs,
      notAfterMs,
      expectedMs: job.expectedMs,
      provider: job.target?.provider ?? "",
      model: job.target?.model ?? "",
      endpoint: job.target?.endpoint ?? "",
      chain: job.chain ?? "",
      priority: job.priority,
      maxAttempts: job.maxAttempts,
      notify: job.notify ?? null,
    };
  });
  if (faults.length > 0) throw invalidBody(faults);
  return read;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Puts the common fields under each job's own, before any is checked: a job may lack what the others share. */
function mergeDefaults(document: unknown): unknown {
  if (!isObject(document) || !isObject(document["defaults"]) || !Array.isArray(document["jobs"]))
    return document;
  const { defaults, jobs } = document;
  const known = Object.fromEntries(
    Object.entries(defaults).filter(([name]) => Object.hasOwn(newJob.shape, name)),
  );
  return { ...document, jobs: jobs.map((job) => (isObject(job) ? { ...known, ...job } : job)) };
}

/** Without calls within calls: a document may be deeper than these can be. */
function isDeeper(value: unknown, most: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= most) return true;
    level = level.flatMap((one) => Object.values(one).filter(isContainer));
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

function payloadsNotStored(): AppError {
  return new AppError({
    status: 409,
    code: "payloads_not_stored",
    title: "This project does not store payloads",
    detail:
      "Send a `reference` by which your worker finds its input: that is always taken. Or have an administrator switch payloads on: PUT /api/queues/settings with storesPayloads true.",
  });
}
