import type { Logger } from "pino";
import type { Sql } from "../../db/connect.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { createDepths } from "./depth.ts";
import { createFinishWatch, type FinishWatch } from "./finish-watch.ts";
import { createLanes, type Lanes } from "./lanes.ts";
import { createLeases, type Leases } from "./leases.ts";
import { listGone } from "./list-queries.ts";
import { createSettle, type Settle } from "./settle.ts";
import { createSubmit, type Submit } from "./submit.ts";

/** The queue of work that can wait, as routes and jobs of one server use it. */
export interface Queue {
  /** Its own pool: neither figures nor jobs of the server wait for it. */
  readonly sql: Sql;
  readonly submit: Submit;
  readonly leases: Leases;
  readonly settle: Settle;
  readonly finishWatch: FinishWatch;
  readonly lanes: Lanes;
  readonly depths: ReturnType<typeof createDepths>;
  readonly now: () => number;
  /** Nobody is kept waiting any more; waits for what is under way. */
  close(): Promise<void>;
}

export interface QueueDeps {
  readonly sql: Sql;
  readonly readSql: Sql;
  readonly secrets: Secrets;
  readonly now: () => number;
  /** Starts a job of the server soon. */
  readonly nudge: (job: string) => void;
  readonly log: Logger;
}

export function createQueue({ sql, readSql, secrets, now, nudge, log }: QueueDeps): Queue {
  const finishWatch = createFinishWatch({ listGone: (jobs) => listGone(readSql, jobs) });
  const lanes = createLanes(sql, () => nudge("gates"));
  const settle = createSettle(sql, (projectId, finished) => {
    finishWatch.notice(projectId, finished);
    if (finished.length > 0) nudge("callbacks");
  });
  /** Nobody waits for it, and it can be left: then the lease ends by itself. */
  const settleAside = (projectId: number, settlement: Parameters<Settle>[1]) => {
    settle(projectId, settlement).catch((error: unknown) => {
      log.debug({ err: error, job: settlement.id }, "a lease could not be ended; it will run out");
    });
  };
  const leases = createLeases({
    sql,
    secrets,
    now,
    onUnreadable(projectId, { id, token }, error) {
      // Without its payload no attempt will ever succeed; without its key one may, once that is back.
      const isFinal = error.code === "secret_damaged";
      const ending = { is: "failed", error: error.message, isFinal, delayMs: null } as const;
      settleAside(projectId, { id, token, ending, nowMs: now() });
    },
    onAbandoned(projectId, jobs) {
      const ending = { is: "stopped", error: "", delayMs: 0 } as const;
      for (const { id, token } of jobs) settleAside(projectId, { id, token, ending, nowMs: now() });
    },
  });
  const submit = createSubmit({ sql, lanes, secrets, onSubmitted: (projectId) => leases.notice(projectId) });
  return {
    sql,
    submit,
    leases,
    settle,
    finishWatch,
    lanes,
    depths: createDepths(readSql),
    now,
    async close() {
      leases.close();
      finishWatch.close();
      await Promise.all([leases.idle(), submit.idle(), settle.idle()]);
    },
  };
}
