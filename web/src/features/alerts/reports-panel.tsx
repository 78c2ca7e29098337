import { useQuery } from "@tanstack/react-query";
import type { ReportAnswer } from "../../../../server/contract/report.ts";
import { reportQuery, reportsQuery } from "../../api/queries.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import { Choice } from "../../components/choice.tsx";
import controls from "../../components/controls.module.css";
import { CopyButton } from "../../components/copy-button.tsx";
import layout from "../../components/page.module.css";
import { Panel } from "../../components/panel.tsx";
import { usePageParam } from "../../components/use-page-param.ts";
import voice from "../../components/voice.module.css";
import styles from "./alerts.module.css";
import { useAlerts } from "./use-alerts.ts";

/** A week against the one before, in words. */
export function ReportsPanel() {
  const { reports: words } = useAlerts();
  const { project, formats } = useView();
  const { language } = usePreferences();
  const [chosen, setChosen] = usePageParam("week");
  const weeks = useQuery(reportsQuery(project.slug));
  const all = weeks.data?.weeks ?? [];
  // The newest that is over: a week of which three hours have passed says nothing.
  const week = chosen ?? all.find(({ isOver }) => isOver)?.week ?? null;
  const report = useQuery({ ...reportQuery(project.slug, week ?? "", language), enabled: week !== null });
  const options = all.map(({ week: name, range, isOver }): [string, string] => [
    name,
    isOver
      ? words.week(name, formats.day(Date.parse(range.from)))
      : words.running(name, formats.day(Date.parse(range.from))),
  ]);
  return (
    <Panel
      title={words.title}
      note={words.note}
      state={report}
      skeleton="high"
      controls={
        options.length > 0 && (
          <div className={styles["actions"]}>
            <Choice label={words.which} value={week ?? ""} options={options} onChange={setChosen} />
          </div>
        )
      }
    >
      {(data) => <Report answer={data} />}
    </Panel>
  );
}

function Report({ answer: { title, parts, markdown, report, isOver } }: { answer: ReportAnswer }) {
  const { reports: words } = useAlerts();
  return (
    <article className={styles["report"]}>
      <h3 className={voice["sentence"]}>{title}</h3>
      {!isOver && <p className={layout["soft"]}>{words.goesOn}</p>}
      {report.figures.attempts === 0 && <p className={layout["soft"]}>{words.empty}</p>}
      {parts.map(({ heading, lines }) => (
        <section key={heading}>
          <h4>{heading}</h4>
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      ))}
      <CopyButton className={controls["button"]} text={() => `# ${title}\n\n${markdown}`} done={words.copied}>
        {words.copy}
      </CopyButton>
    </article>
  );
}
