import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { RuleFiring, RuleReplay } from "../../../../../server/contract/alert.ts";
import type { AlertRuleInput } from "../../../../../server/contract/alert-rule.ts";
import { ruleReplayQuery } from "../../../api/queries.ts";
import { useView } from "../../../app/view.tsx";
import { Panel } from "../../../components/panel.tsx";
import styles from "../alerts.module.css";
import { nameSubject } from "../describe-alert.ts";
import { useAlerts } from "../use-alerts.ts";

/** While a threshold is dragged it is asked for as often as this, not at each step. */
const WAIT_MS = 150;
const MOST = 8;

/** What the rule as it is being written would have told of the last 14 days. */
export function ReplayPanel({ rule }: { rule: AlertRuleInput }) {
  const { replay } = useAlerts();
  const { project } = useView();
  const asked = useSettled(rule);
  const state = useQuery({
    ...ruleReplayQuery(project.slug, { ...asked, name: asked.name.trim() || "-", isEnabled: true }),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title={replay.title} state={state} skeleton="middle">
      {(data) => <Replayed replay={data} />}
    </Panel>
  );
}

/** The value once it has not changed for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), WAIT_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function Replayed({ replay: { count, minutes, groups, firings, range } }: { replay: RuleReplay }) {
  const words = useAlerts();
  const { formats } = useView();
  const length = formats.duration(minutes * 60_000);
  return (
    <>
      <p className={styles["fired"]} role="status">
        {count === 0 ? words.replay.none : words.replay.fired(formats.count(count), length)}
      </p>
      <p className={styles["figures"]}>{words.replay.groups(formats.count(groups))}</p>
      <Strip firings={firings} range={range} />
      {firings.length > 0 && (
        <>
          <h3>{words.replay.newest}</h3>
          <ul className={styles["firings"]}>
            {firings.slice(0, MOST).map((firing) => (
              <li key={`${firing.from} ${JSON.stringify(firing.subject)}`}>
                {words.replay.firing(
                  nameSubject(firing.subject, words),
                  formats.dateTime(Date.parse(firing.toldAt)),
                  firing.to === null
                    ? words.replay.goesOn
                    : formats.duration(Date.parse(firing.to) - Date.parse(firing.toldAt)),
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const WIDTH = 1_000;
const HEIGHT = 36;

/** Fourteen days from left to right, with the firings where they would have been. */
function Strip({ firings, range }: { firings: readonly RuleFiring[]; range: { from: string; to: string } }) {
  const words = useAlerts();
  const { formats } = useView();
  const [fromMs, toMs] = [Date.parse(range.from), Date.parse(range.to)];
  const placeOf = (ms: number) => ((ms - fromMs) / (toMs - fromMs)) * WIDTH;
  return (
    <figure className={styles["strip"]}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.replay.picture(formats.count(firings.length))}
      >
        {firings.map(({ toldAt, to, subject }) => {
          const x = placeOf(Date.parse(toldAt));
          const width = Math.max(3, placeOf(to === null ? toMs : Date.parse(to)) - x);
          return (
            <rect
              key={`${toldAt} ${JSON.stringify(subject)}`}
              x={x}
              y={4}
              width={width}
              height={HEIGHT - 8}
            />
          );
        })}
      </svg>
      <figcaption>
        <span>{formats.day(fromMs)}</span>
        <span>{formats.day(toMs)}</span>
      </figcaption>
    </figure>
  );
}
