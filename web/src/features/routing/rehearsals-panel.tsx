import { useInfiniteQuery } from "@tanstack/react-query";
import type { Rehearsal } from "../../../../server/contract/router-instance.ts";
import { rehearsalsQuery } from "../../api/queries.ts";
import { useView } from "../../app/view.tsx";
import { StateIcon } from "../../components/icons.tsx";
import { MoreButton } from "../../components/more-button.tsx";
import layout from "../../components/page.module.css";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import styles from "./routing-page.module.css";
import { useRouting } from "./use-routing.ts";

/** How every target of a chain did at typical tasks. */
export function RehearsalsPanel() {
  const words = useRouting().rehearsals;
  const { project } = useView();
  const rehearsals = useInfiniteQuery(rehearsalsQuery(project.slug));
  const all = (data: NonNullable<typeof rehearsals.data>) => data.pages.flatMap((page) => page.rehearsals);
  return (
    <Panel
      title={words.title}
      note={words.note}
      state={rehearsals}
      skeleton="high"
      isEmpty={(data) => all(data).length === 0}
      empty={words.empty}
    >
      {(data) => (
        <div className={styles["tests"]}>
          {all(data).map((rehearsal) => (
            <OneRehearsal key={rehearsal.id} rehearsal={rehearsal} />
          ))}
          <MoreButton of={rehearsals} text={words.more} />
        </div>
      )}
    </Panel>
  );
}

function OneRehearsal({ rehearsal }: { rehearsal: Rehearsal }) {
  const words = useRouting().rehearsals;
  const { formats } = useView();
  const { chain, cases, durationMs, isOk, startedAt, targets } = rehearsal;
  const toRow = ({
    target,
    model,
    passed,
    failed,
    latencyMsP50,
    failures,
  }: Rehearsal["targets"][number]) => ({
    id: target,
    cells: [
      target,
      model,
      formats.count(passed),
      failures.length === 0 ? (
        formats.count(failed)
      ) : (
        <details key="failures">
          <summary>{formats.count(failed)}</summary>
          <ul>
            {failures.map((failure) => (
              <li key={failure.case}>
                {failure.case}: {words.reasons[failure.reason]}
                {failure.outcome !== null && ` (${failure.outcome})`}
              </li>
            ))}
          </ul>
        </details>
      ),
      formats.milliseconds(latencyMsP50),
    ],
  });
  return (
    <article>
      <h3 className={styles["state"]} data-tone={isOk ? "good" : "bad"}>
        <StateIcon state={isOk ? "room" : "short"} />
        {isOk ? words.ok : words.failed}
      </h3>
      <p className={layout["soft"]}>
        {`${formats.dateTime(Date.parse(startedAt))} · ${words.of(chain, formats.count(cases), formats.duration(durationMs))}`}
      </p>
      <RowsTable label={chain} heads={Object.values(words.columns)} rows={targets.map(toRow)} />
    </article>
  );
}
