import type { QueuesAnswer } from "../../../../server/contract/queue.ts";
import { useNow, useView } from "../../app/view.tsx";
import { type Loadable, Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import { useQueueWords } from "./use-queue-words.ts";

const listWorkers = ({ queues }: QueuesAnswer) =>
  queues.flatMap(({ queue, workers }) => workers.map((worker) => ({ ...worker, queue })));

/** Who does the work. */
export function WorkersPanel({ state }: { state: Loadable<QueuesAnswer> }) {
  const { workers } = useQueueWords();
  const { formats } = useView();
  const nowMs = useNow();
  return (
    <Panel
      title={workers.title}
      note={workers.note}
      state={state}
      skeleton="low"
      isEmpty={(data) => listWorkers(data).length === 0}
      empty={<p>{workers.empty}</p>}
    >
      {(data) => (
        <RowsTable
          label={workers.title}
          heads={Object.values(workers.columns)}
          rows={listWorkers(data).map(({ queue, worker, leased, concurrency, lastSeenAt }) => ({
            id: `${queue}\n${worker}`,
            cells: [
              worker,
              queue,
              formats.count(leased),
              concurrency === null ? null : formats.count(concurrency),
              formats.ago(Date.parse(lastSeenAt), nowMs),
            ],
          }))}
        />
      )}
    </Panel>
  );
}
