import type { Job } from "../contract/job.ts";
import type { GateRow } from "./gate-queries.ts";
import { type Lane, toPriority, toTarget } from "./lane.ts";
import type { JobRow } from "./list-queries.ts";

/** The job as answers have it. @param gate of its lane; `null`: it has none */
export function describeJob(row: JobRow, lane: Lane | undefined, gate: GateRow | null, nowMs: number): Job {
  return {
    id: row.id,
    state: row.state,
    wait: row.state === "waiting" ? whyItWaits(row, gate, nowMs) : null,
    queue: lane?.queue ?? "",
    submitter: lane?.submitter ?? "",
    priority: toPriority(lane?.priority ?? 1),
    key: row.key,
    reference: row.reference,
    when: row.notBefore?.toISOString() ?? (lane !== undefined && lane.gateId !== 0 ? "offPeak" : "now"),
    notAfter: row.notAfter?.toISOString() ?? null,
    expectedMs: row.expectedMs,
    target: lane === undefined ? null : toTarget(lane),
    chain: lane === undefined || lane.chain === "" ? null : lane.chain,
    payloadBytes: row.payloadBytes,
    submittedAt: row.submittedAt.toISOString(),
    attempts: row.leaseCount,
    failures: row.failureCount,
    busy: row.busyCount,
    maxAttempts: row.maxAttempts,
    worker: row.worker,
    leasedAt: row.leasedAt?.toISOString() ?? null,
    leasedUntil: row.leasedUntil?.toISOString() ?? null,
    isCancelAsked: row.cancelAskedAt !== null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    result: row.result,
    error: row.lastError,
    notify: row.notify,
  };
}

/** Its own pause comes first, then its latest time, then its gate. */
function whyItWaits(
  { delayedUntil, delayReason, dueAt }: JobRow,
  gate: GateRow | null,
  nowMs: number,
): NonNullable<Job["wait"]> {
  const nothing = { since: null, until: null, expected: null };
  if (delayedUntil !== null && delayedUntil.getTime() > nowMs) {
    const reason = delayReason === "busy" || delayReason === "failed" ? delayReason : "scheduled";
    return { ...nothing, reason, until: delayedUntil.toISOString() };
  }
  if (dueAt !== null && dueAt.getTime() <= nowMs)
    return { ...nothing, reason: "due", since: dueAt.toISOString() };
  if (gate === null) return { ...nothing, reason: "ready" };
  if (dueAt !== null && gate.drainBefore !== null && dueAt <= gate.drainBefore)
    return { ...nothing, reason: "mustDrain", until: dueAt.toISOString() };
  // Whatever becomes of the gate, its own latest time lets it go.
  const untilMs = Math.min(
    ...[gate.untilAt, gate.isOpen ? null : dueAt].flatMap((at) => at?.getTime() ?? []),
  );
  return {
    reason: gate.reason,
    since: gate.sinceAt.toISOString(),
    until: Number.isFinite(untilMs) ? new Date(untilMs).toISOString() : null,
    expected: gate.reason === "beforeWindow" || gate.reason === "inWindow" ? gate.windowShare : null,
  };
}
