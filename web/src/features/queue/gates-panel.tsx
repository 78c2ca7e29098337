import type { QueuesAnswer } from "../../../../server/contract/queue.ts";
import { useView } from "../../app/view.tsx";
import { StateIcon } from "../../components/icons.tsx";
import { type Loadable, Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import { nameCalls, tellGate } from "./describe-job.ts";
import styles from "./queue.module.css";
import { useQueueWords } from "./use-queue-words.ts";

/** What holds jobs that wait for a good time, in words. */
export function GatesPanel({ state }: { state: Loadable<QueuesAnswer> }) {
  const words = useQueueWords();
  const { gates } = words;
  const { formats } = useView();
  const toRow = (gate: QueuesAnswer["gates"][number]) => ({
    id: `${gate.queue}\n${gate.chain}\n${JSON.stringify(gate.target)}`,
    cells: [
      nameCalls(gate, words) ?? gates.any,
      gate.queue,
      formats.count(gate.waiting),
      <span key="state" className={styles["mark"]} data-open={gate.isOpen || undefined}>
        <StateIcon state={gate.isOpen ? "room" : "tight"} />
        {gate.isOpen ? gates.open : gates.shut}
      </span>,
      tellGate(gate, words, formats),
      gate.until === null ? null : formats.dateTime(Date.parse(gate.until)),
    ],
  });
  return (
    <Panel
      title={gates.title}
      note={gates.note}
      state={state}
      skeleton="low"
      isEmpty={(data) => data.gates.length === 0}
      empty={<p>{gates.empty}</p>}
    >
      {(data) => (
        <RowsTable label={gates.title} heads={Object.values(gates.columns)} rows={data.gates.map(toRow)} />
      )}
    </Panel>
  );
}
