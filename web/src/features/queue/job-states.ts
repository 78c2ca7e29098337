import type { JobState } from "../../../../server/contract/job.ts";

/** As they are offered in the filter: live ones first. */
export const JOB_STATES_SHOWN = [
  "waiting",
  "leased",
  "completed",
  "dead",
  "cancelled",
] as const satisfies readonly JobState[];
