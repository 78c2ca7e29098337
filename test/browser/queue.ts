import { createKeptAnswers } from "../../server/advice/kept/kept-answers.ts";
import { findVersion } from "../../server/plans/plans.ts";
import { judgeGates } from "../../server/queue/judge-gates.ts";
import type { Dashboard } from "./support.ts";
import { call } from "./team.ts";

const HOUR_MS = 3_600_000;

/** Has the gates judged as the clock would. */
export async function judgeQueue({ server: { core, queue }, now }: Dashboard): Promise<void> {
  await judgeGates(
    {
      sql: core.jobSql,
      readSql: core.readSql,
      kept: createKeptAnswers({ readSql: core.readSql, sql: core.jobSql }),
      findPlan: (projectId, version) => findVersion(core.db, projectId, version),
      onChanged: (projectId) => queue.leases.notice(projectId),
    },
    now(),
  );
}

/** A night's work before a good window, and jobs in every state, in a project with calls of the sample. */
export async function fillQueue(dashboard: Dashboard, project = "sample"): Promise<void> {
  const to = (method: string, path: string, body?: unknown) =>
    call(dashboard, method, `${path}?project=${project}`, body);
  const at = (hours: number) => new Date(dashboard.now() + hours * HOUR_MS).toISOString();
  const submit = (queue: string, jobs: readonly object[], defaults: object = {}) =>
    to("POST", "/v1/jobs", { defaults: { queue, ...defaults }, jobs });
  const many = (count: number, make: (i: number) => object) =>
    Array.from({ length: count }, (_, i) => make(i));
  const night = { when: "offPeak", target: { provider: "openai", model: "gpt-5" }, expectedMs: 90_000 };

  await submit(
    "classify",
    many(620, (i) => ({ key: `doc-${i}`, reference: `s3://docs/${i}` })),
    {
      ...night,
      submitter: "nightly",
      notAfter: at(19),
    },
  );
  await submit(
    "classify",
    many(90, (i) => ({ key: `brief-${i}`, notAfter: at(3 + Math.floor(i / 30)) })),
    {
      ...night,
      submitter: "legal",
    },
  );
  await submit(
    "summaries",
    many(45, (i) => ({ key: `summary-${i}`, when: at(6 + (i % 3)) })),
  );
  await judgeQueue(dashboard);

  await submit("summaries", [
    { key: "completed" },
    { key: "dead", maxAttempts: 1 },
    { key: "failed" },
    { key: "busy" },
    { key: "taken" },
  ]);
  const work = { queue: "summaries", worker: "box-7/4121", concurrency: 8, leaseMs: 60_000 };
  const { jobs } = await to("POST", "/v1/jobs/lease", { ...work, limit: 5 });
  const settle = (key: string, how: string, body: object) => {
    const { id, token } = jobs.find((job: { idempotencyKey: string }) => job.idempotencyKey === key);
    return to("POST", `/v1/jobs/${id}/${how}`, { token, ...body });
  };
  await settle("completed", "complete", { result: { summary: "3 pages", reference: "s3://out/1" } });
  await settle("dead", "fail", { error: "the document is empty" });
  await settle("failed", "fail", { error: "the model answered with half a sentence" });
  await settle("busy", "release", { reason: "busy" });
  const { jobs: submitted } = await submit("summaries", [{ key: "not wanted" }, { key: "ready" }]);
  await to("POST", "/v1/jobs/cancel", { ids: [submitted[0].id] });
}
