import type { LeasedJobs, SettledJob } from "../contract/job-lease.ts";
import * as contract from "../contract/job-routes.ts";
import { AppError } from "../http/app-error.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import type { Ending } from "./decide-ending.ts";
import { extendLeases, findNextReady, noteAlive } from "./lease-queries.ts";
import type { Queue } from "./queue.ts";
import type { Settled } from "./settle.ts";
import { untilGone } from "./until-gone.ts";

/** What workers call: they take jobs, keep them, and end what they took. */
export function workerRoutes(queue: Queue): BoundRoute[] {
  const { sql } = queue;
  const settle = async (
    projectId: number,
    id: number,
    token: string,
    ending: Ending,
    nowMs: number,
  ): Promise<SettledJob> => {
    const settled = await queue.settle(projectId, { id, token, ending, nowMs });
    const answer = toSettledJob(id, settled);
    // It may go to somebody who waits.
    if (answer.readyAt !== null && Date.parse(answer.readyAt) <= nowMs) queue.leases.notice(projectId);
    return answer;
  };
  return [
    bindRoute(contract.postJobLeases, async ({ project, body, res }): Promise<LeasedJobs> => {
      const gone = untilGone(res);
      const jobs = await queue.leases.take(project.id, body, gone);
      // Who is told to ask again by a server that stops shall ask another one.
      if (queue.leases.isClosed) res.set("Connection", "close");
      // Not when it was asked: leases are counted from when they were given.
      const nowMs = queue.now();
      const nextAt =
        jobs.length > 0 || gone.aborted ? null : await findNextReady(sql, project.id, body.queue, nowMs);
      return { jobs, now: new Date(nowMs).toISOString(), nextAt: nextAt?.toISOString() ?? null };
    }),
    bindRoute(contract.postJobExtensions, async ({ project, body, nowMs }) => {
      const held = await extendLeases(sql, project.id, body.leases, body.leaseMs, nowMs);
      await noteAlive(sql, project.id, body.worker, nowMs);
      const byId = new Map(held.map((lease) => [lease.id, lease]));
      return {
        now: new Date(nowMs).toISOString(),
        leases: body.leases.map(({ id, token }) => {
          const lease = byId.get(id);
          if (lease === undefined || lease.token !== token)
            return { id, is: "lost" as const, leasedUntil: null };
          const is = lease.isCancelAsked ? ("cancel" as const) : ("held" as const);
          return { id, is, leasedUntil: lease.leasedUntil.toISOString() };
        }),
      };
    }),
    bindRoute(contract.postJobCompletion, async ({ project, params, body, nowMs }) =>
      settle(project.id, params.id, body.token, { is: "completed", result: body.result ?? null }, nowMs),
    ),
    bindRoute(contract.postJobFailure, async ({ project, params, body, nowMs }) => {
      const { token, error, isFinal, delayMs = null } = body;
      return settle(project.id, params.id, token, { is: "failed", error, isFinal, delayMs }, nowMs);
    }),
    bindRoute(contract.postJobRelease, async ({ project, params, body, nowMs }) => {
      const { token, error, reason, delayMs = null } = body;
      return settle(project.id, params.id, token, { is: reason, error, delayMs }, nowMs);
    }),
  ];
}

function toSettledJob(id: number, settled: Settled): SettledJob {
  switch (settled.is) {
    case "settled":
      return {
        id,
        state: settled.state,
        readyAt: settled.readyMs === null ? null : new Date(settled.readyMs).toISOString(),
      };
    case "unknown":
      throw noSuchJob();
    case "lost":
      throw new AppError({
        status: 409,
        code: "lease_lost",
        title: "The lease had ended before",
        detail: "Nothing was changed. Somebody else may have the job: stop working on it.",
      });
  }
}

export function noSuchJob(): AppError {
  return new AppError({
    status: 404,
    code: "no_such_job",
    title: "There is no such job",
    detail: "It was never this project's, or is kept no more.",
  });
}
