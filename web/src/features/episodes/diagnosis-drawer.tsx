import { useQuery } from "@tanstack/react-query";
import type { Diagnosis, ScopeStep } from "../../../../server/contract/diagnosis.ts";
import { diagnosisQuery } from "../../api/queries.ts";
import { nameTarget } from "../../app/describe-scope.ts";
import { useMessages, usePreferences } from "../../app/preferences.tsx";
import type { RangeChoice } from "../../app/range.ts";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import { cellLook, describeCell } from "../../components/cell.ts";
import { Drawer } from "../../components/drawer.tsx";
import { Failure } from "../../components/notice.tsx";
import styles from "./diagnosis-drawer.module.css";
import { type Mark, markOf } from "./episode-rows.ts";

export interface DiagnosisDrawerProps {
  /** Number of an episode; `null`: the range, of the target that is looked at. */
  readonly episode: number | null;
  readonly range: RangeChoice;
  readonly onClose: () => void;
}

/** Why a model was short, as a list to go through in order. */
export function DiagnosisDrawer({ episode, range, onClose }: DiagnosisDrawerProps) {
  const messages = useMessages();
  const { language } = usePreferences();
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const target = episode === null ? scope.target : null;
  const question = { project: project.slug, episode, target, range, zone, locale: language };
  const diagnosis = useQuery(diagnosisQuery(question));
  const { data } = diagnosis;
  const name = data?.model ?? target?.model ?? messages.episodes.allModels;
  const note =
    data === undefined
      ? zone
      : `${formats.dateTime(Date.parse(data.range.from))} – ${formats.dateTime(Date.parse(data.range.to))} · ${zone}`;
  return (
    <Drawer title={messages.episodes.diagnosis.title(name)} note={note} onClose={onClose}>
      {data !== undefined ? (
        <Steps diagnosis={data} />
      ) : diagnosis.isError ? (
        <Failure error={diagnosis.error} onRetry={() => diagnosis.refetch()} />
      ) : (
        <p role="status">{messages.states.loading}</p>
      )}
    </Drawer>
  );
}

function Steps({ diagnosis: { sentence, steps, remedies } }: { diagnosis: Diagnosis }) {
  const { diagnosis } = useMessages().episodes;
  return (
    <>
      <p className={styles["sentence"]}>{sentence}</p>
      <ol className={styles["steps"]}>
        {steps.map((step) => {
          const mark = markOf(step);
          return (
            <li key={step.step} data-mark={mark}>
              <MarkIcon mark={mark} />
              <h3>
                {step.asks} <span className="hidden">{diagnosis.marks[mark]}</span>
              </h3>
              <p>{step.says}</p>
              {step.step === "scope" && step.targets.length > 0 && <Targets targets={step.targets} />}
            </li>
          );
        })}
      </ol>
      <section className={styles["toDo"]}>
        <h3>{diagnosis.toDo}</h3>
        <ul>
          {remedies.map(({ remedy, says }) => (
            <li key={remedy}>{says}</li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** A shape per mark, so that none needs its colour. */
function MarkIcon({ mark }: { mark: Mark }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" fill="none" stroke="currentColor">
      {mark === "points" && <path d="M7 1.2 13.2 12.6H.8Z" fill="currentColor" stroke="none" />}
      {mark === "clear" && <path d="M2 7.5 5.5 11 12 3.5" strokeWidth="1.8" />}
      {mark === "unknown" && <circle cx="7" cy="7" r="5.4" strokeWidth="1.4" strokeDasharray="1.6 2.2" />}
    </svg>
  );
}

function Targets({ targets }: { targets: ScopeStep["targets"] }) {
  const messages = useMessages();
  const { formats } = useView();
  const { diagnosis } = messages.episodes;
  return (
    <details>
      <summary>{diagnosis.numbers}</summary>
      <ul className={styles["targets"]}>
        {targets.map((target) => (
          <li key={`${target.provider}\n${nameTarget(target)}`}>
            <span className={styles["swatch"]} data-look={cellLook(target.capacity)} />
            <span>{nameTarget(target)}</span>
            <strong>{describeCell(target.capacity, messages, formats).share}</strong>
            <span>
              {diagnosis.usual} {target.usual.rate === null ? "–" : formats.share(target.usual.rate)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
