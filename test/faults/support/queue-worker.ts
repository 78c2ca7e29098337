/** Run as a process of its own, to be killed: a worker that notes what it did in a file, then says that it is done. */
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface WorkerOrder {
  readonly name: string;
  readonly key: string;
  readonly file: string;
}

/** A line of the file: the work was done, or its completion was acknowledged. */
export interface WorkerLine {
  readonly is: "did" | "acknowledged";
  readonly id: number;
  readonly token: string;
}

const RETRY_AFTER_MS = 50;
const ANSWER_WITHIN_MS = 10_000;

/** The least that there is: what a killed worker had is soon another one's. */
const LEASE_MS = 5_000;

let url = "";

process.on("disconnect", () => process.exit(0));
process.on("message", (message: { url: string; order?: WorkerOrder }) => {
  url = message.url;
  if (message.order !== undefined) void work(message.order);
});

async function work({ name, key, file }: WorkerOrder): Promise<void> {
  const note = (line: WorkerLine) => fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
  const post = async (path: string, body: unknown) => {
    try {
      const response = await fetch(url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return { status: 0, body: null };
    }
  };
  for (;;) {
    const request = { queue: "faults", worker: name, limit: 5, leaseMs: LEASE_MS, concurrency: 5, wait: 1 };
    const leased = await post("/v1/jobs/lease", request);
    if (leased.status !== 200) await sleep(RETRY_AFTER_MS);
    for (const { id, token } of leased.body?.jobs ?? []) {
      await sleep(Math.random() * 20);
      note({ is: "did", id, token });
      for (;;) {
        const { status } = await post(`/v1/jobs/${id}/complete`, { token });
        if (status === 200) note({ is: "acknowledged", id, token });
        if (status === 200 || status === 409 || status === 404) break;
        await sleep(RETRY_AFTER_MS);
      }
    }
  }
}
