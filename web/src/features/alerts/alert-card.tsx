import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { Alert } from "../../../../server/contract/alert.ts";
import type { Cause } from "../../../../server/contract/diagnosis.ts";
import { toPath } from "../../api/paths.ts";
import { useChange } from "../../api/use-change.ts";
import { useScope } from "../../app/use-scope.ts";
import { useMayWrite, useNow, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { Refusal } from "../../components/form.tsx";
import styles from "./alerts.module.css";
import { listFigures, nameSubject, sayValue } from "./describe-alert.ts";
import { SeverityMark } from "./severity-mark.tsx";
import { SilenceDialog } from "./silence-dialog.tsx";
import { useAlerts } from "./use-alerts.ts";
import { useTongue } from "./use-tongue.ts";

/**
 * One alert that is firing: a sentence, its figures, why, what to do, and who is at it.
 *
 * @param isChosen its link was followed: it is brought into sight, and marked
 */
export function AlertCard({ alert, isChosen }: { alert: Alert; isChosen: boolean }) {
  const words = useAlerts();
  const tongue = useTongue();
  const { formats } = useView();
  const nowMs = useNow();
  const sinceMs = Date.parse(alert.since);
  const subject = nameSubject(alert.subject, words);
  const rule = words.ruleName(alert.rule.name);
  const what = alert.value === null ? rule : sayValue(alert.value, alert, tongue);
  const figures = listFigures(alert, tongue);
  const since = words.says.since(formats.dateTime(sinceMs), formats.duration(Math.max(0, nowMs - sinceMs)));
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <article
      ref={card}
      className={styles["card"]}
      data-severity={alert.severity}
      data-chosen={isChosen}
      aria-label={`${subject}: ${what}`}
    >
      <header className={styles["head"]}>
        <SeverityMark severity={alert.severity} />
        <h3>
          {subject}: {what}
        </h3>
      </header>
      <p className={styles["figures"]}>{[...figures, since, rule].join(" · ")}</p>
      <dl className={styles["facts"]}>
        {alert.cause !== null && alert.cause.code in words.causes && (
          <div>
            <dt>{words.now.cause}</dt>
            <dd>{words.causes[alert.cause.code as Cause]}</dd>
          </div>
        )}
        {alert.order !== null && alert.order.length > 1 && (
          <div>
            <dt>{words.now.order}</dt>
            <dd>{alert.order.join(" → ")}</dd>
          </div>
        )}
      </dl>
      <Folded alert={alert} />
      <Standing alert={alert} />
      <Actions alert={alert} subject={subject} />
    </article>
  );
}

function Folded({ alert: { folded } }: { alert: Alert }) {
  const words = useAlerts();
  if (folded.length === 0) return null;
  return (
    <details className={styles["folded"]}>
      <summary>{words.now.folded(folded.length)}</summary>
      <ul>
        {folded.map((one) => (
          <li key={one.id}>
            {nameSubject(one.subject, words)}: {one.rule}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Who is at it, and why channels hear nothing. */
function Standing({ alert: { acknowledged, muted, toldAt } }: { alert: Alert }) {
  const { now } = useAlerts();
  const { formats } = useView();
  const when = (text: string) => formats.dateTime(Date.parse(text));
  return (
    <>
      {acknowledged !== null && (
        <p className={styles["standing"]}>
          {now.acknowledged(acknowledged.by.name, when(acknowledged.at))}
          {acknowledged.note !== null && `: ${acknowledged.note}`}
        </p>
      )}
      {muted !== null ? (
        <p className={styles["standing"]}>{now.muted[muted.by](when(muted.until))}</p>
      ) : (
        toldAt === null && <p className={styles["standing"]}>{now.notTold}</p>
      )}
    </>
  );
}

/** The page of what an alert is about. */
function linkToSubject(
  link: ReturnType<typeof useScope>["link"],
  { provider, model, endpoint, source, chain }: Alert["subject"],
): string {
  if (provider !== undefined && model !== undefined) {
    return link("/model", {}, { provider, model, ...(endpoint === undefined ? {} : { endpoint }) });
  }
  if (source !== undefined) return link("/sources");
  return link(chain === undefined ? "/models" : "/routing");
}

function Actions({ alert, subject }: { alert: Alert; subject: string }) {
  const words = useAlerts();
  const { project } = useView();
  const { link } = useScope();
  const mayWrite = useMayWrite();
  const acknowledge = useChange();
  const [isSilencing, setSilencing] = useState(false);
  return (
    <>
      <div className={styles["actions"]}>
        <Link href={linkToSubject(link, alert.subject)} className={controls["button"]}>
          {words.now.open}
        </Link>
        {mayWrite && alert.acknowledged === null && (
          <button
            type="button"
            className={controls["button"]}
            disabled={acknowledge.isPending}
            onClick={() =>
              acknowledge.mutate({
                method: "POST",
                path: toPath(`/api/alerts/${alert.id}/acknowledgement`, { project: project.slug }),
                body: {},
              })
            }
          >
            {words.now.acknowledge}
          </button>
        )}
        {mayWrite && alert.muted === null && (
          <button type="button" className={controls["quiet"]} onClick={() => setSilencing(true)}>
            {words.now.silence}
          </button>
        )}
      </div>
      <Refusal error={acknowledge.error} />
      {isSilencing && (
        <SilenceDialog
          name={subject}
          where={alert.subject}
          rule={alert.rule.id}
          onClose={() => setSilencing(false)}
        />
      )}
    </>
  );
}
