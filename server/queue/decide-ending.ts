import { scrubText } from "@busyhour/sdk";
import type { JobResult } from "../contract/job.ts";
import type { LiveRow } from "./settle-queries.ts";

/** How a worker says that a lease ended; `lost`: it said nothing for too long. */
export type Ending =
  | { readonly is: "completed"; readonly result: JobResult | null }
  | {
      readonly is: "failed";
      readonly error: string;
      readonly isFinal: boolean;
      /** `null`: the usual one. */
      readonly delayMs: number | null;
    }
  | { readonly is: "busy" | "stopped"; readonly error: string; readonly delayMs: number | null }
  | { readonly is: "lost" };

/** What becomes of the job. */
export interface Decision {
  readonly to: "completed" | "dead" | "cancelled" | "waiting";
  /** Of those that wait again: not before. */
  readonly readyMs: number | null;
  readonly failureCount: number;
  readonly busyCount: number;
  readonly error: string | null;
  /** What the life tells of it. */
  readonly kind: Ending["is"] | "dead" | "cancelled";
}

const FIRST_FAILED_MS = 10_000;
const MOST_FAILED_MS = 15 * 60_000;
const FIRST_BUSY_MS = 15_000;
const MOST_BUSY_MS = 5 * 60_000;
const MOST_ERROR = 300;

const doubled = (firstMs: number, times: number, mostMs: number) =>
  Math.min(mostMs, firstMs * 2 ** Math.min(times, 30));

/** Whether it counts against `maxAttempts`: want of room does not, and a job that kills its worker must end one day. */
const isFailure = ({ is }: Ending) => is === "failed" || is === "lost";

/** What becomes of a leased job whose lease ended so. */
export function decideEnding(
  job: Pick<LiveRow, "failureCount" | "busyCount" | "maxAttempts" | "cancelAskedAt">,
  ending: Ending,
  nowMs: number,
): Decision {
  const failureCount = job.failureCount + (isFailure(ending) ? 1 : 0);
  const busyCount = job.busyCount + (ending.is === "busy" ? 1 : 0);
  const error = "error" in ending && ending.error !== "" ? scrubText(ending.error, MOST_ERROR) : null;
  const common = { failureCount, busyCount, error, readyMs: null };
  if (ending.is === "completed") return { ...common, to: "completed", kind: "completed" };
  // Asked for while it ran: it was told, and is done with it.
  if (job.cancelAskedAt !== null) return { ...common, to: "cancelled", kind: "cancelled" };
  const isOver = isFailure(ending) && failureCount >= job.maxAttempts;
  if (isOver || (ending.is === "failed" && ending.isFinal)) return { ...common, to: "dead", kind: "dead" };
  return {
    ...common,
    to: "waiting",
    kind: ending.is,
    readyMs: nowMs + pauseMs(ending, failureCount, busyCount),
  };
}

function pauseMs(ending: Ending, failureCount: number, busyCount: number): number {
  switch (ending.is) {
    case "failed":
      return ending.delayMs ?? doubled(FIRST_FAILED_MS, failureCount - 1, MOST_FAILED_MS);
    case "busy":
      return ending.delayMs ?? doubled(FIRST_BUSY_MS, busyCount - 1, MOST_BUSY_MS);
    case "stopped":
      return ending.delayMs ?? 0;
    default:
      return 0;
  }
}
