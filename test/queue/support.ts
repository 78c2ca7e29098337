import type { Job } from "../../server/contract/job.ts";
import type { LeasedJobs } from "../../server/contract/job-lease.ts";
import type { NewJobs } from "../../server/contract/job-submission.ts";
import type { TestServer } from "../support/server.ts";

/** Calls of the queue's routes by a test, as the admin token unless a key is given. */
export function createQueueClient(api: Pick<TestServer, "url" | "fetch">, key?: string) {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await api.fetch(path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape the contract tests hold
    return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as any };
  };
  const ok = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body);
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    call,
    ok,
    /** The numbers of the jobs. */
    async submit(
      jobs: readonly Partial<NewJobs["jobs"][number]>[],
      defaults: Readonly<Record<string, unknown>> = {},
    ): Promise<number[]> {
      const { jobs: fates } = await ok("POST", "/v1/jobs", { defaults, jobs });
      return fates.map(({ id }: { id: number }) => id);
    },
    lease: (parts: Readonly<Record<string, unknown>> = {}): Promise<LeasedJobs> =>
      ok("POST", "/v1/jobs/lease", { worker: "w1", ...parts }),
    get: (id: number): Promise<Job & { life: { is: string; at: string; reason: string | null }[] }> =>
      ok("GET", `/v1/jobs/${id}`),
    complete: (id: number, token: string, result?: unknown) =>
      call("POST", `/v1/jobs/${id}/complete`, { token, ...(result === undefined ? {} : { result }) }),
    fail: (id: number, token: string, parts: Readonly<Record<string, unknown>> = {}) =>
      call("POST", `/v1/jobs/${id}/fail`, { token, ...parts }),
    release: (id: number, token: string, parts: Readonly<Record<string, unknown>> = {}) =>
      call("POST", `/v1/jobs/${id}/release`, { token, ...parts }),
    extend: (
      leases: readonly { id: number; token: string }[],
      parts: Readonly<Record<string, unknown>> = {},
    ) =>
      ok("POST", "/v1/jobs/extend", {
        worker: "w1",
        leases: leases.map(({ id, token }) => ({ id, token })),
        ...parts,
      }),
  };
}

export const references = ({ jobs }: LeasedJobs) => jobs.map(({ reference }) => reference);
