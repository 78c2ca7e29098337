import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Job } from "../../../../server/contract/job.ts";
import { jobsQuery } from "../../api/queries.ts";
import { useMayWrite, useView } from "../../app/view.tsx";
import { Choice } from "../../components/choice.tsx";
import controls from "../../components/controls.module.css";
import { MoreButton } from "../../components/more-button.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import { TextField } from "../../components/text-field.tsx";
import { usePageParam } from "../../components/use-page-param.ts";
import { ChangeDialog, type JobChange } from "./change-dialog.tsx";
import { nameJob, nameState, tellWhy } from "./describe-job.ts";
import { JobActions } from "./job-actions.tsx";
import { JobDrawer } from "./job-drawer.tsx";
import { JOB_STATES_SHOWN } from "./job-states.ts";
import styles from "./queue.module.css";
import { type JobFilter, useJobFilter } from "./use-job-filter.ts";
import { useQueueWords } from "./use-queue-words.ts";

/** Jobs as the filter wants them; each opens its life. */
export function JobsPanel({ names }: { names: readonly string[] }) {
  const words = useQueueWords();
  const { list } = words;
  const { project } = useView();
  const [filter, change] = useJobFilter();
  const [opened, open] = usePageParam("job");
  const [asked, ask] = useState<JobChange | null>(null);
  const jobs = useInfiniteQuery(jobsQuery({ project: project.slug, ...filter }));
  const state = { ...jobs, data: jobs.data?.pages.flatMap((page) => page.jobs) };
  const openedId = Number(opened);
  return (
    <>
      <Panel
        title={list.title}
        note={list.note}
        state={state}
        skeleton="middle"
        isEmpty={(all) => all.length === 0}
        empty={<p>{list.empty}</p>}
        controls={
          <>
            <Filters
              key={`${filter.submitter} ${filter.key}`}
              filter={filter}
              names={names}
              onChange={change}
            />
            <Together filter={filter} onAsk={ask} />
          </>
        }
      >
        {(all) => (
          <>
            <JobTable jobs={all} onOpen={(id) => open(String(id))} onAsk={ask} />
            <MoreButton of={jobs} text={list.more} />
          </>
        )}
      </Panel>
      {opened !== null && Number.isInteger(openedId) && (
        <JobDrawer id={openedId} onClose={() => open(null)} onAsk={ask} />
      )}
      {asked !== null && <ChangeDialog change={asked} onClose={() => ask(null)} />}
    </>
  );
}

interface FiltersProps {
  readonly filter: JobFilter;
  readonly names: readonly string[];
  readonly onChange: (part: Partial<JobFilter>) => void;
}

/** Lists take hold at once; texts when they are sent. */
function Filters({ filter, names, onChange }: FiltersProps) {
  const { list, states, depth } = useQueueWords();
  const [submitter, setSubmitter] = useState(filter.submitter ?? "");
  const [key, setKey] = useState(filter.key ?? "");
  const queues = [...new Set([...names, ...(filter.queue === null ? [] : [filter.queue])])];
  const isFiltered = Object.values(filter).some((value) => value !== null);
  return (
    <form
      className={styles["controls"]}
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ submitter: submitter.trim(), key: key.trim() });
      }}
    >
      <Choice
        label={list.filters.state}
        value={filter.state ?? ""}
        options={[
          ["", list.anyState],
          ["live", list.groups.live],
          ["finished", list.groups.finished],
          ...JOB_STATES_SHOWN.map((name) => [name, states[name]] as const),
        ]}
        onChange={(state) => onChange({ state })}
      />
      <Choice
        label={list.filters.queue}
        value={filter.queue ?? ""}
        options={[["", depth.all], ...queues.map((name) => [name, name] as const)]}
        onChange={(queue) => onChange({ queue })}
      />
      <TextField label={list.filters.submitter} value={submitter} onChange={setSubmitter} maxLength={100} />
      <TextField
        label={`${list.filters.key} (${list.keyHint(filter.queue ?? "default")})`}
        value={key}
        onChange={setKey}
        maxLength={200}
      />
      <button type="submit" className={controls["button"]}>
        {list.find}
      </button>
      {isFiltered && (
        <button
          type="button"
          className={controls["quiet"]}
          onClick={() => onChange({ state: null, queue: null, submitter: null, key: null })}
        >
          {list.clear}
        </button>
      )}
    </form>
  );
}

interface AskProps {
  readonly onAsk: (change: JobChange) => void;
}

/** What is done to all jobs of a queue or a submitter. */
function Together({ filter, onAsk }: AskProps & { filter: JobFilter }) {
  const { list, change } = useQueueWords();
  const mayWrite = useMayWrite();
  if (!mayWrite) return null;
  const { queue, submitter } = filter;
  if (queue === null && submitter === null) return <p className={styles["hint"]}>{list.allHint}</p>;
  const choice = { ...(queue === null ? {} : { queue }), ...(submitter === null ? {} : { submitter }) };
  return (
    <div className={styles["controls"]}>
      <button
        type="button"
        className={controls["danger"]}
        onClick={() => onAsk({ kind: "cancel", name: change.all(queue, submitter), choice })}
      >
        {list.cancelAll}
      </button>
      <button
        type="button"
        className={controls["button"]}
        onClick={() => onAsk({ kind: "retry", name: change.allDead(queue, submitter), choice })}
      >
        {list.retryAll}
      </button>
    </div>
  );
}

interface JobTableProps extends AskProps {
  readonly jobs: readonly Job[];
  readonly onOpen: (id: number) => void;
}

function JobTable({ jobs, onOpen, onAsk }: JobTableProps) {
  const words = useQueueWords();
  const { list } = words;
  const { formats } = useView();
  const mayWrite = useMayWrite();
  const toRow = (job: Job) => ({
    id: job.id,
    isOver: job.finishedAt !== null && job.state !== "dead",
    cells: [
      <button
        key="open"
        type="button"
        className={styles["open"]}
        aria-label={list.open(nameJob(job))}
        onClick={() => onOpen(job.id)}
      >
        {nameJob(job)}
      </button>,
      <span key="state" className={styles["state"]} data-state={job.state}>
        {nameState(job, words)}
      </span>,
      tellWhy(job, words, formats),
      job.queue,
      job.submitter,
      formats.dateTime(Date.parse(job.submittedAt)),
      formats.count(job.attempts),
      mayWrite ? <JobActions key="actions" job={job} onAsk={onAsk} /> : null,
    ],
  });
  const heads = Object.values(list.columns);
  return (
    <RowsTable
      label={list.title}
      heads={mayWrite ? heads : heads.slice(0, -1)}
      rows={jobs.map(toRow).map(({ cells, ...row }) => ({
        ...row,
        cells: mayWrite ? cells : cells.slice(0, -1),
      }))}
    />
  );
}
