/** Run as a process of its own: submitters and workers of a queue over HTTP, as fast as they are answered. */
import http from "node:http";

export type QueueOrder =
  | {
      readonly do: "submit";
      readonly batches: number;
      readonly perBatch: number;
      readonly at: number;
      readonly prefix: string;
    }
  | { readonly do: "work"; readonly workers: number; readonly limit: number; readonly forMs: number };

export interface QueueDone {
  /** Jobs submitted, or leased and completed. */
  readonly jobs: number;
  readonly elapsedMs: number;
}

/** Like a night's work: ten submitters, three priorities, each job with a key and a latest time. */
export function makeJobs(prefix: string, batch: number, count: number, nowMs: number) {
  const notAfter = new Date(nowMs + 20 * 3_600_000).toISOString();
  return Array.from({ length: count }, (_, i) => ({
    key: `${prefix}-${batch}-${i}`,
    reference: `s3://documents/${prefix}/${batch}/${i}.json`,
    submitter: `team-${i % 10}`,
    priority: (["high", "normal", "low"] as const)[i % 3],
    notAfter,
  }));
}

interface Target {
  readonly url: string;
  readonly token: string;
}

if (process.send !== undefined) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  process.on("disconnect", () => process.exit(0));
  process.on("message", ({ target, order }: { target: Target; order: QueueOrder }) => {
    const work = order.do === "submit" ? submit(agent, target, order) : doWork(agent, target, order);
    work.then(
      (done) => process.send?.(done),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}

async function submit(
  agent: http.Agent,
  target: Target,
  { batches, perBatch, at, prefix }: Extract<QueueOrder, { do: "submit" }>,
): Promise<QueueDone> {
  const bodies = Array.from({ length: batches }, (_, batch) =>
    JSON.stringify({ defaults: { queue: "bench" }, jobs: makeJobs(prefix, batch, perBatch, Date.now()) }),
  );
  const startedAt = performance.now();
  let next = 0;
  const sendAll = async () => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++])
      await post(agent, target, "/v1/jobs", body, 201);
  };
  await Promise.all(Array.from({ length: at }, sendAll));
  return { jobs: batches * perBatch, elapsedMs: performance.now() - startedAt };
}

async function doWork(
  agent: http.Agent,
  target: Target,
  { workers, limit, forMs }: Extract<QueueOrder, { do: "work" }>,
): Promise<QueueDone> {
  const startedAt = performance.now();
  let jobs = 0;
  const loop = async (worker: string) => {
    while (performance.now() - startedAt < forMs) {
      const request = JSON.stringify({ queue: "bench", worker, limit, concurrency: limit });
      const leased = JSON.parse(await post(agent, target, "/v1/jobs/lease", request, 200));
      if (leased.jobs.length === 0) throw new Error("nothing was ready");
      await Promise.all(
        leased.jobs.map(({ id, token }: { id: number; token: string }) =>
          post(
            agent,
            target,
            `/v1/jobs/${id}/complete`,
            JSON.stringify({ token, result: { summary: "ok" } }),
            200,
          ),
        ),
      );
      jobs += leased.jobs.length;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, i) => loop(`worker-${i}`)));
  return { jobs, elapsedMs: performance.now() - startedAt };
}

function post(
  agent: http.Agent,
  { url, token }: Target,
  path: string,
  body: string,
  status: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const request = http.request(url + path, { method: "POST", agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode === status) resolve(text);
        else reject(new Error(`${path}: ${response.statusCode} ${text}`));
      });
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}
