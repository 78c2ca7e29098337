import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "wouter";
import type { Alert, Alerts } from "../../../../server/contract/alert.ts";
import { alertRulesQuery, alertsQuery, pastAlertsQuery } from "../../api/queries.ts";
import { useScope } from "../../app/use-scope.ts";
import { useNow, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { MoreButton } from "../../components/more-button.tsx";
import layout from "../../components/page.module.css";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import { AlertCard } from "./alert-card.tsx";
import styles from "./alerts.module.css";
import { formatValue, nameSubject } from "./describe-alert.ts";
import { SeverityMark } from "./severity-mark.tsx";
import { useAlerts } from "./use-alerts.ts";

/** What fires now, what is about to, and what was. */
export function NowPanels() {
  return (
    <>
      <FiringPanel />
      <HistoryPanel />
    </>
  );
}

function FiringPanel() {
  const { now } = useAlerts();
  const { project } = useView();
  const alerts = useQuery(alertsQuery(project.slug));
  const chosen = useChosenAlert();
  return (
    <Panel
      title={now.firing}
      state={alerts}
      skeleton="middle"
      isEmpty={(data) => chosen === null && data.alerts.length === 0 && data.pending.length === 0}
      empty={alerts.data === undefined ? null : <Quiet judgedTo={alerts.data.judgedTo} />}
    >
      {(data) => (
        <>
          {chosen !== null && data.alerts.every(({ id }) => id !== chosen) && <p>{now.chosenIsOver}</p>}
          <div className={styles["cards"]}>
            {data.alerts.map((alert) => (
              <AlertCard key={alert.id} alert={alert} isChosen={alert.id === chosen} />
            ))}
          </div>
          <Pending pending={data.pending} />
        </>
      )}
    </Panel>
  );
}

/** The alert whose link was followed. */
function useChosenAlert(): number | null {
  const id = Number(new URLSearchParams(useSearch()).get("alert"));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Why nothing fires: all is well, or nothing was asked to watch. */
function Quiet({ judgedTo }: { judgedTo: string | null }) {
  const { now } = useAlerts();
  const { project, formats } = useView();
  const { link } = useScope();
  const rules = useQuery(alertRulesQuery(project.slug));
  if (rules.data !== undefined && rules.data.rules.length === 0) {
    return (
      <>
        <p>{now.noRules}</p>
        <Link href={link("/alerts/rules")} className={controls["primary"]}>
          {now.makeRules}
        </Link>
      </>
    );
  }
  return (
    <>
      <p>{now.allQuiet}</p>
      <p className={layout["soft"]}>
        {judgedTo === null ? now.neverJudged : now.allQuietNote(formats.dateTime(Date.parse(judgedTo)))}
      </p>
    </>
  );
}

function Pending({ pending }: { pending: Alerts["pending"] }) {
  const words = useAlerts();
  const { formats } = useView();
  if (pending.length === 0) return null;
  return (
    <section className={styles["pending"]}>
      <h3>{words.now.pending}</h3>
      <ul>
        {pending.map(({ rule, subject, firesAt }) => (
          <li key={`${rule.id} ${JSON.stringify(subject)}`}>
            {words.now.pendingLine(
              words.ruleName(rule.name),
              nameSubject(subject, words),
              formats.time(Date.parse(firesAt)),
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function HistoryPanel() {
  const words = useAlerts();
  const { history } = words;
  const { project, formats } = useView();
  const nowMs = useNow();
  const past = useInfiniteQuery(pastAlertsQuery(project.slug));
  const state = { ...past, data: past.data?.pages.flatMap((page) => page.alerts) };
  const toRow = (alert: Alert) => {
    const [fromMs, toMs] = [
      Date.parse(alert.since),
      Date.parse(alert.endedAt ?? new Date(nowMs).toISOString()),
    ];
    return {
      id: alert.id,
      cells: [
        <Link key="what" href={alert.view}>
          {nameSubject(alert.subject, words)}
        </Link>,
        words.ruleName(alert.rule.name),
        <SeverityMark key="severity" severity={alert.severity} />,
        formats.dateTime(fromMs),
        formats.duration(toMs - fromMs),
        alert.peak === null ? null : formatValue(alert.peak, alert.of, formats),
        alert.toldAt === null ? history.notTold : history.told,
      ],
    };
  };
  return (
    <Panel
      title={history.title}
      note={history.note}
      state={state}
      skeleton="low"
      isEmpty={(alerts) => alerts.length === 0}
      empty={history.empty}
    >
      {(alerts) => (
        <>
          <RowsTable label={history.title} heads={Object.values(history.columns)} rows={alerts.map(toRow)} />
          <MoreButton of={past} text={history.more} />
        </>
      )}
    </Panel>
  );
}
