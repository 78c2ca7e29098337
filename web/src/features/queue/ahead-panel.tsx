import type { QueuesAnswer } from "../../../../server/contract/queue.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import { type Loadable, Panel } from "../../components/panel.tsx";
import { KINDS, tellAhead, toAheadTable, toColumns } from "./ahead.ts";
import { HourColumns } from "./hour-columns.tsx";
import styles from "./queue.module.css";
import { useQueueWords } from "./use-queue-words.ts";

/** What will run in each of the coming 24 hours, before how busy these are expected to be. */
export function AheadPanel({ state, queue }: { state: Loadable<QueuesAnswer>; queue: string | null }) {
  const words = useQueueWords();
  const { ahead } = words;
  const { project, zone, formats } = useView();
  const sayAll = (data: QueuesAnswer) => tellAhead(data.ahead, data.perHour, words, formats);
  return (
    <Panel
      title={ahead.title}
      note={ahead.note(zone)}
      state={state}
      skeleton="middle"
      isEmpty={(data) => sayAll(data).length === 0}
      empty={<p>{ahead.empty}</p>}
      table={(data) =>
        toAheadTable(
          data.ahead,
          [`project=${project.slug}`, `at=${data.at}`, ...(queue === null ? [] : [`queue=${queue}`])],
          words,
        )
      }
    >
      {(data) => (
        <>
          <p className={styles["told"]}>{sayAll(data).join(" ")}</p>
          <HourColumns columns={toColumns(data.ahead, words, formats)} label={ahead.title} />
          <Legend />
        </>
      )}
    </Panel>
  );
}

function Legend() {
  const { ahead } = useQueueWords();
  const { week } = useMessages();
  return (
    <div className={styles["legend"]}>
      <ul>
        {KINDS.map((kind) => (
          <li key={kind}>
            <span className={styles["swatch"]} data-kind={kind} />
            {ahead.kinds[kind]}
          </li>
        ))}
        <li>
          <span className={styles["goodMark"]} />
          {ahead.good}
        </li>
      </ul>
      <ul>
        <li>{ahead.legendShare}</li>
        {week.legendSteps.map((text, step) => (
          <li key={text}>
            <span className={styles["swatch"]} data-look={step} />
            {text}
          </li>
        ))}
        <li>
          <span className={styles["swatch"]} data-look="none" />
          {ahead.legendUnknown}
        </li>
      </ul>
    </div>
  );
}
