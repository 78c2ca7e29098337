import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Job, JobFigures } from "./contest.ts";

const SCRIPT = fileURLToPath(new URL("./job-process.ts", import.meta.url));

interface Waiting {
  readonly job: Job;
  readonly resolve: (figures: never) => void;
  readonly reject: (error: Error) => void;
}

/** Runs jobs in processes of their own, one for each core. */
export class Pool {
  readonly #waiting: Waiting[] = [];
  readonly #idle: ChildProcess[] = [];
  readonly #all: ChildProcess[];

  constructor(size = availableParallelism()) {
    // Room for the many that live for an event: collecting them took a quarter of the time.
    const execArgv = [...process.execArgv, "--max-semi-space-size=64"];
    this.#all = Array.from({ length: size }, () => fork(SCRIPT, { execArgv, serialization: "advanced" }));
    this.#idle.push(...this.#all);
  }

  run<J extends Job>(job: J): Promise<JobFigures<J>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      this.#next();
    });
  }

  close(): void {
    for (const child of this.#all) child.disconnect();
  }

  #next(): void {
    const child = this.#idle.pop();
    if (child === undefined) return;
    const waiting = this.#waiting.shift();
    if (waiting === undefined) {
      this.#idle.push(child);
      return;
    }
    const onExit = () => waiting.reject(new Error("a process of the benchmark failed; see above"));
    child.once("exit", onExit);
    child.once("message", (figures) => {
      child.off("exit", onExit);
      waiting.resolve(figures as never);
      this.#idle.push(child);
      this.#next();
    });
    child.send(waiting.job);
  }
}
