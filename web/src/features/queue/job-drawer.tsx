import { useQuery } from "@tanstack/react-query";
import type { JobWithLife } from "../../../../server/contract/job.ts";
import { jobQuery } from "../../api/queries.ts";
import { useMayWrite, useView } from "../../app/view.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { Failure, Loading } from "../../components/notice.tsx";
import type { JobChange } from "./change-dialog.tsx";
import { nameCalls, nameJob, nameState, tellEvent, tellWhy } from "./describe-job.ts";
import { JobActions } from "./job-actions.tsx";
import styles from "./queue.module.css";
import { useQueueWords } from "./use-queue-words.ts";

export interface JobDrawerProps {
  readonly id: number;
  readonly onClose: () => void;
  readonly onAsk: (change: JobChange) => void;
}

/** One job: what it is, and its life in words. */
export function JobDrawer({ id, onClose, onAsk }: JobDrawerProps) {
  const { life, title } = useQueueWords();
  const { project } = useView();
  const mayWrite = useMayWrite();
  const { data: job, error, refetch } = useQuery(jobQuery(project.slug, id));
  return (
    <Drawer
      title={job === undefined ? `#${id}` : nameJob(job)}
      note={job === undefined ? title : life.note(String(id), job.queue)}
      onClose={onClose}
    >
      {job === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <Failure error={error} onRetry={refetch} />
        )
      ) : (
        <>
          <Facts job={job} />
          {mayWrite && (
            <div>
              <JobActions job={job} onAsk={onAsk} />
            </div>
          )}
          <Life job={job} />
        </>
      )}
    </Drawer>
  );
}

function Facts({ job }: { job: JobWithLife }) {
  const words = useQueueWords();
  const { life } = words;
  const { formats } = useView();
  const why = tellWhy(job, words, formats);
  const facts: Readonly<Record<keyof typeof life.facts, string | null>> = {
    state: [nameState(job, words), ...(job.wait === null || why === null ? [] : [why])].join(words.semicolon),
    worker: job.state === "leased" ? why : job.worker,
    reference: job.reference,
    key: job.key,
    submitter: job.submitter,
    calls: nameCalls(job, words),
    when:
      job.when === "now" || job.when === "offPeak"
        ? life.whens[job.when]
        : formats.dateTime(Date.parse(job.when)),
    notAfter: job.notAfter === null ? null : formats.dateTime(Date.parse(job.notAfter)),
    priority: life.priorities[job.priority],
    attempts: life.attempts(
      formats.count(job.attempts),
      formats.count(job.failures),
      formats.count(job.maxAttempts),
      formats.count(job.busy),
    ),
    payload: job.payloadBytes === null ? null : life.bytes(formats.count(job.payloadBytes)),
    result:
      job.result === null ? null : [job.result.summary, job.result.reference].filter(Boolean).join(" · "),
    error: job.error,
  };
  return (
    <dl className={styles["facts"]}>
      {(Object.keys(facts) as (keyof typeof facts)[]).map(
        (name) =>
          facts[name] !== null &&
          facts[name] !== "" && (
            <div key={name}>
              <dt>{life.facts[name]}</dt>
              <dd>{facts[name]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Life({ job }: { job: JobWithLife }) {
  const words = useQueueWords();
  const { formats } = useView();
  return (
    <section className={styles["life"]} aria-labelledby="life">
      <h3 id="life">{words.life.title}</h3>
      <ol>
        {job.life.map((event, i) => {
          const [what, rest] = tellEvent(event, words, formats);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two events may be of one moment, and none ever moves
            <li key={i} data-event={event.is}>
              <time dateTime={event.at}>{formats.dateTime(Date.parse(event.at))}</time>
              <p>
                <strong>{what}</strong>
                {rest !== "" && <span>{rest}</span>}
              </p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
