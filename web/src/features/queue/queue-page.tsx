import { useQuery } from "@tanstack/react-query";
import { queuesQuery } from "../../api/queries.ts";
import { useView } from "../../app/view.tsx";
import layout from "../../components/page.module.css";
import { AheadPanel } from "./ahead-panel.tsx";
import { DepthPanel } from "./depth-panel.tsx";
import { FirstJob } from "./first-job.tsx";
import { GatesPanel } from "./gates-panel.tsx";
import { JobsPanel } from "./jobs-panel.tsx";
import { useJobFilter } from "./use-job-filter.ts";
import { useQueueWords } from "./use-queue-words.ts";
import { WorkersPanel } from "./workers-panel.tsx";

/** How much waits and why, what will run when, and each job. */
export function QueuePage() {
  const words = useQueueWords();
  const { project } = useView();
  const [filter] = useJobFilter();
  const all = useQuery(queuesQuery(project.slug, null));
  const chosen = useQuery(queuesQuery(project.slug, filter.queue));
  const isFirst = all.data?.queues.length === 0;
  return (
    <div className={layout["page"]}>
      <h1 className="hidden">{words.title}</h1>
      {isFirst ? (
        <FirstJob />
      ) : (
        <div className={layout["panels"]}>
          <DepthPanel all={all} chosen={chosen} />
          <AheadPanel state={chosen} queue={filter.queue} />
          <GatesPanel state={chosen} />
          <WorkersPanel state={chosen} />
          <JobsPanel names={all.data?.queues.map(({ queue }) => queue) ?? []} />
        </div>
      )}
    </div>
  );
}
