/** Run as a process of its own, to be killed: the worker of the SDK, which notes in a file what it did. */
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { JobError, work } from "@busyhour/sdk";
import type { WorkerLine, WorkerOrder } from "./queue-worker.ts";

/** The least that there is: what a killed worker had is soon another one's. */
const LEASE_MS = 5_000;
const FULL_SHARE = 0.05;

let url = "";

process.on("disconnect", () => process.exit(0));
process.on("message", (message: { url: string; order?: WorkerOrder }) => {
  url = message.url;
  if (message.order !== undefined) begin(message.order);
});

function begin({ name, key, file }: WorkerOrder): void {
  const note = (line: WorkerLine) => fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
  /** The server has another port after each start. */
  const follow = (async (input: string, init: RequestInit) => {
    const { pathname } = new URL(input);
    const response = await fetch(url + pathname, init);
    const [, id] = /^\/v1\/jobs\/(\d+)\/complete$/.exec(pathname) ?? [];
    if (id !== undefined && response.status === 200)
      note({ is: "acknowledged", id: Number(id), token: JSON.parse(String(init.body)).token });
    return response;
  }) as typeof globalThis.fetch;
  work(
    "faults",
    async ({ id }) => {
      await sleep(Math.random() * 20);
      if (Math.random() < FULL_SHARE) throw new JobError("no room", { isBusy: true, delayMs: 200 });
      note({ is: "did", id, token: "" });
    },
    { url, key, name, leaseMs: LEASE_MS, fetch: follow, onProblem: () => {} },
  );
}
