import type { RouterSystem } from "../router/system.ts";
import type { QueueClient } from "./queue-client.ts";
import type { HandleJob, QueueJob, WorkOptions } from "./types.ts";

export interface WorkerParts<Payload> {
  readonly queue: string;
  readonly handler: HandleJob<Payload>;
  readonly options: WorkOptions;
  readonly settings: WorkSettings;
  readonly client: QueueClient;
  readonly system: RouterSystem;
}

export interface WorkSettings {
  readonly name: string;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly graceMs: number;
}

/** What the server sends: the job, and the word that proves whose it is. */
export type LeasedJob<Payload> = QueueJob<Payload> & { readonly token: string };
