import type { Logger } from "pino";
import type { OpenedDatabase } from "../db/open-database.ts";
import type { KeptAnswers } from "./advice/kept/kept-answers.ts";
import type { Net } from "./channels/kinds/kind.ts";
import type { Core } from "./core.ts";
import type { SampleDeps } from "./demo/sample.ts";
import type { Settings } from "./env.ts";
import type { Resolve } from "./outgoing/host-lookup.ts";
import type { PlanWatch } from "./plans/watch.ts";
import type { Queue } from "./queue/queue.ts";

export interface ServerOptions {
  readonly settings: Pick<Settings, "port" | "host" | "adminToken" | "roles" | "rawRetentionDays"> &
    Partial<
      Pick<Settings, "dataDir" | "secrets" | "publicUrl" | "trustedProxies" | "outgoingAllow" | "oidc">
    >;
  readonly database: OpenedDatabase;
  readonly version: string;
  readonly webFolder: string | null;
  /** How hosts of channels are looked up; the system's own when left out. */
  readonly resolve?: Resolve;
  readonly now: () => number;
  readonly log: Logger;
}

/** What is made once, and handed to routes and jobs. */
export interface ServerParts {
  readonly core: Core;
  readonly sampleDeps: SampleDeps;
  readonly planWatch: PlanWatch;
  readonly kept: KeptAnswers;
  readonly net: Net;
  readonly queue: Queue;
  readonly localToken: string;
  readonly nudge: (job: string) => void;
}
