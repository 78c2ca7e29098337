import type { LifeEvent } from "../contract/job.ts";
import type { GateChangeRow } from "./gate-queries.ts";
import type { EventRow, JobRow } from "./list-queries.ts";

const NOTHING = { reason: null, until: null, worker: null, since: null, detail: null } as const;

/**
 * A job's life, oldest first: its own times, how its leases ended, and what its gate did while it waited.
 *
 * @param changes of its gate, from the last one before it was submitted on
 */
export function tellLife(
  job: JobRow,
  submitter: string,
  events: readonly EventRow[],
  changes: readonly GateChangeRow[],
): LifeEvent[] {
  const life: LifeEvent[] = [
    {
      ...NOTHING,
      at: job.submittedAt.toISOString(),
      is: "queued",
      until: job.notBefore?.toISOString() ?? null,
      detail: submitter,
    },
  ];
  /** What was asked while a worker had it was written down before the end of the lease, which tells of its beginning. */
  const pushLeased = (leasedAt: Date, worker: string | null) => {
    let place = life.length;
    while (life[place - 1]?.is === "cancelAsked") place--;
    life.splice(place, 0, { ...NOTHING, at: leasedAt.toISOString(), is: "leased", worker });
  };
  for (const event of events) {
    if (event.leasedAt !== null) pushLeased(event.leasedAt, event.worker);
    life.push({
      ...NOTHING,
      at: event.at.toISOString(),
      is: event.kind as LifeEvent["is"],
      until: event.untilAt?.toISOString() ?? null,
      worker: event.leasedAt === null ? null : event.worker,
      since: event.leasedAt?.toISOString() ?? null,
      detail: event.detail,
    });
  }
  if (job.state === "leased" && job.leasedAt !== null) pushLeased(job.leasedAt, job.worker);
  // In the order in which they were written down, where two are of one moment.
  return [...life.slice(0, 1), ...tellGate(job, events, changes), ...life.slice(1)]
    .map((event, place) => ({ event, place, atMs: Date.parse(event.at) }))
    .sort((a, b) => a.atMs - b.atMs || a.place - b.place)
    .map(({ event }) => event);
}

/** What the gate did until the job was leased first; what it does later concerns it only where it waits again. */
function tellGate(job: JobRow, events: readonly EventRow[], changes: readonly GateChangeRow[]): LifeEvent[] {
  const firstLease = events.find(({ leasedAt }) => leasedAt !== null)?.leasedAt ?? job.leasedAt;
  const endMs = (firstLease ?? job.finishedAt)?.getTime() ?? Number.POSITIVE_INFINITY;
  const startMs = job.submittedAt.getTime();
  return changes
    .filter(({ at }) => at.getTime() <= endMs)
    .filter(({ reason, untilAt }) => reason !== "mustDrain" || isUrgent(job, untilAt))
    .map(({ at, isOpen, reason, untilAt }) => ({
      ...NOTHING,
      at: new Date(Math.max(startMs, at.getTime())).toISOString(),
      is: isOpen || reason === "mustDrain" ? "letGo" : "held",
      reason,
      until: untilAt?.toISOString() ?? null,
    }));
}

/** Whether a gate that lets the most urgent go lets it go. */
function isUrgent({ notAfter, expectedMs }: JobRow, before: Date | null): boolean {
  return notAfter !== null && before !== null && notAfter.getTime() - expectedMs <= before.getTime();
}
