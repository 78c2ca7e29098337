import { Link } from "wouter";
import type { QueueDepth, QueuesAnswer } from "../../../../server/contract/queue.ts";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import { Choice } from "../../components/choice.tsx";
import { type Loadable, Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import { findNextDue, sumDepths } from "./ahead.ts";
import styles from "./queue.module.css";
import { useJobFilter } from "./use-job-filter.ts";
import { type QueueWords, useQueueWords } from "./use-queue-words.ts";

export interface DepthPanelProps {
  readonly all: Loadable<QueuesAnswer>;
  /** Of the queue that the page is about. */
  readonly chosen: Loadable<QueuesAnswer>;
}

/** How much waits: a sentence, eight figures, and each queue where there are several. */
export function DepthPanel({ all, chosen }: DepthPanelProps) {
  const words = useQueueWords();
  const { depth } = words;
  const [filter, change] = useJobFilter();
  const names = all.data?.queues.map(({ queue }) => queue) ?? [];
  return (
    <Panel
      title={depth.title}
      note={depth.note}
      state={chosen}
      skeleton="low"
      controls={
        (names.length > 1 || filter.queue !== null) && (
          <div className={styles["controls"]}>
            <Choice
              label={words.list.filters.queue}
              value={filter.queue ?? ""}
              options={[
                ["", depth.all],
                ...[...new Set([...names, ...(filter.queue === null ? [] : [filter.queue])])].map(
                  (name) => [name, name] as const,
                ),
              ]}
              onChange={(queue) => change({ queue })}
            />
          </div>
        )
      }
    >
      {({ queues }) => (
        <>
          <Sentence queues={queues} />
          <Figures queues={queues} />
          {queues.length > 1 && <Queues queues={queues} words={words} />}
        </>
      )}
    </Panel>
  );
}

function Sentence({ queues }: { queues: readonly QueueDepth[] }) {
  const { depth } = useQueueWords();
  const { formats } = useView();
  const { ready, held, scheduled, leased } = sumDepths(queues);
  const waiting = ready + held + scheduled;
  const due = findNextDue(queues);
  return (
    <p className={styles["voice"]}>
      {waiting === 0 ? depth.nothingWaits : depth.waits(formats.count(waiting))}
      {leased > 0 && depth.leased(formats.count(leased))}
      {due !== null && depth.due(formats.dateTime(Date.parse(due)))}
    </p>
  );
}

function Figures({ queues }: { queues: readonly QueueDepth[] }) {
  const { depth } = useQueueWords();
  const { formats } = useView();
  const sums = sumDepths(queues);
  return (
    <dl className={styles["figures"]}>
      {(Object.keys(depth.figures) as (keyof typeof sums)[]).map((name) => (
        <div key={name} data-bad={(name === "dead" && sums.dead > 0) || undefined}>
          <dt>{depth.figures[name]}</dt>
          <dd>{formats.count(sums[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

function Queues({ queues, words }: { queues: readonly QueueDepth[]; words: QueueWords }) {
  const { depth } = words;
  const { formats } = useView();
  const { link } = useScope();
  const toRow = (one: QueueDepth) => {
    const sums = sumDepths([one]);
    return {
      id: one.queue,
      cells: [
        <Link key="name" href={link("/queue", {}, { queue: one.queue })} title={depth.show(one.queue)}>
          {one.queue}
        </Link>,
        ...[sums.ready, sums.held, sums.scheduled, sums.leased, sums.completed, sums.failed, sums.dead].map(
          formats.count,
        ),
        one.oldestAt === null ? null : formats.dateTime(Date.parse(one.oldestAt)),
      ],
    };
  };
  return <RowsTable label={depth.queues} heads={Object.values(depth.columns)} rows={queues.map(toRow)} />;
}
