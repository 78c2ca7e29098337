import type { Job } from "../../../../server/contract/job.ts";
import controls from "../../components/controls.module.css";
import type { JobChange } from "./change-dialog.tsx";
import { nameJob } from "./describe-job.ts";
import { useQueueWords } from "./use-queue-words.ts";

export interface JobActionsProps {
  readonly job: Job;
  readonly onAsk: (change: JobChange) => void;
}

/** What can be done to one job; nothing to one that is completed or cancelled. */
export function JobActions({ job, onAsk }: JobActionsProps) {
  const { list, cancel } = useQueueWords();
  const name = nameJob(job);
  const choice = { ids: [job.id] };
  if (job.state === "dead")
    return (
      <button
        type="button"
        className={controls["button"]}
        aria-label={list.retryOne(name)}
        onClick={() => onAsk({ kind: "retry", name, choice })}
      >
        {list.retry}
      </button>
    );
  if (job.finishedAt !== null || job.isCancelAsked) return null;
  return (
    <button
      type="button"
      className={controls["danger"]}
      aria-label={list.cancelOne(name)}
      onClick={() => onAsk({ kind: "cancel", name, choice })}
    >
      {cancel}
    </button>
  );
}
