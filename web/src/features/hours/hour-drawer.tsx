import { useQueries } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Overview } from "../../../../server/contract/share.ts";
import { overviewQuery } from "../../api/queries.ts";
import { nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import type { Range } from "../../app/range.ts";
import type { Target } from "../../app/scope.ts";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import { cellLook, describeCell, describeChange } from "../../components/cell.ts";
import controls from "../../components/controls.module.css";
import { Drawer } from "../../components/drawer.tsx";
import type { GridCell } from "../../components/grid-model.ts";
import { Failure } from "../../components/notice.tsx";
import { shareOf } from "../now/worst-changes.ts";
import styles from "./hour-drawer.module.css";
import { LastFailures } from "./last-failures.tsx";
import { sumByTarget, sumOutcomes } from "./sum-hours.ts";

export interface HourDrawerProps {
  readonly of: GridCell;
  readonly target: Target | null;
  /** The times that the cell is made of, newest first. */
  readonly occurrences: readonly Range[];
  /** Other times, to compare with. */
  readonly others?: readonly Range[];
  readonly onClose: () => void;
}

/** More of them are more requests than an answer is worth. */
const MOST_TIMES = 6;
const MOST_TARGETS = 5;

/** One hour of a grid: each time that it came, how calls ended, where there was no room, and what was answered. */
export function HourDrawer({ of, target, occurrences, others = [], onClose }: HourDrawerProps) {
  const messages = useMessages();
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const own = occurrences.slice(0, MOST_TIMES);
  const shown = [...own, ...others];
  const answers = useQueries({
    queries: shown.map((range) =>
      overviewQuery({ project: project.slug, target }, { kind: "between", ...range }),
    ),
  });
  const failed = answers.find(({ data, isError }) => isError && data === undefined);
  const hours = answers.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const words = describeCell(of.cell, messages, formats);
  const change = describeChange(of.cell, of.before, messages, formats);
  const name = target === null ? messages.now.allModels : nameTarget(target);
  return (
    <Drawer title={of.when} note={`${name} · ${messages.count[scope.count]} · ${zone}`} onClose={onClose}>
      <div className={styles["figure"]}>
        <span className={styles["swatch"]} data-look={cellLook(of.cell)} />
        <strong>{words.share}</strong>
        <span>{words.counts}</span>
        <span>
          {messages.cell.interval} {words.interval}
        </span>
        <span>{words.state}</span>
        {change !== null && <span>{change}</span>}
      </div>
      {failed !== undefined ? (
        <Failure
          error={failed.error}
          onRetry={() => {
            for (const answer of answers) answer.refetch();
          }}
        />
      ) : hours.length < shown.length ? (
        <p role="status">{messages.states.loading}</p>
      ) : (
        <>
          <Times hours={hours} ownCount={own.length} allCount={occurrences.length} />
          <Endings hours={hours.slice(0, own.length)} />
          {target?.endpoint == null && <Places hours={hours.slice(0, own.length)} />}
          <LastFailures target={target} ranges={own} />
        </>
      )}
      <Ways target={target} newest={own[0]} />
    </Drawer>
  );
}

interface TimesProps {
  readonly hours: readonly Overview[];
  readonly ownCount: number;
  readonly allCount: number;
}

function Times({ hours, ownCount, allCount }: TimesProps) {
  const messages = useMessages();
  const { hour } = messages;
  const { scope } = useScope();
  const { formats } = useView();
  return (
    <section className={styles["part"]}>
      <h3>{hour.times}</h3>
      {allCount > ownCount && <p className={styles["note"]}>{hour.timesOf(ownCount, allCount)}</p>}
      <table className={styles["table"]}>
        <thead className="hidden">
          <tr>
            <th scope="col">{messages.columns.day}</th>
            <th scope="col">{messages.cellColumns.share}</th>
            <th scope="col">{messages.cellColumns.calls}</th>
          </tr>
        </thead>
        <tbody>
          {hours.map(({ total, range }, i) => {
            const share = shareOf(total, scope.count);
            const words = describeCell(share, messages, formats);
            return (
              <tr key={range.from} data-other={i >= ownCount || undefined}>
                <th scope="row">{formats.dateTime(Date.parse(range.from))}</th>
                <td>
                  <span className={styles["swatch"]} data-look={cellLook(share)} /> {words.share}
                </td>
                <td>{share.state === "none" ? words.state : words.counts}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Endings({ hours }: { hours: readonly Overview[] }) {
  const messages = useMessages();
  const { scope } = useScope();
  const { formats } = useView();
  const outcomes = sumOutcomes(hours, scope.count);
  if (outcomes.length === 0) return null;
  return (
    <section className={styles["part"]}>
      <h3>{messages.hour.endings}</h3>
      <dl className={styles["bars"]}>
        {outcomes.map(({ outcome, count, part }) => (
          <div key={outcome}>
            <dt>{messages.outcomes[outcome]}</dt>
            <dd>
              <span
                className={styles["bar"]}
                style={{ width: `${Math.max(0.5, part * 100)}%`, background: `var(--outcome-${outcome})` }}
              />
              {formats.count(count)} · {formats.share(part)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Which models and endpoints had no room. */
function Places({ hours }: { hours: readonly Overview[] }) {
  const messages = useMessages();
  const { scope, link } = useScope();
  const { formats } = useView();
  const targets = sumByTarget(hours, scope.count, MOST_TARGETS);
  if (targets.length === 0) return null;
  return (
    <section className={styles["part"]}>
      <h3>{messages.hour.places}</h3>
      <ul className={styles["places"]}>
        {targets.map(({ k, n, ...target }) => (
          <li key={target.provider + nameTarget(target)}>
            <Link href={link("/model", { target })}>{nameTarget(target)}</Link>
            <span>
              {formats.share(n === 0 ? 0 : k / n)} ·{" "}
              {messages.cell.counts(formats.count(k), formats.count(n))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where to go on from here. */
function Ways({ target, newest }: { target: Target | null; newest: Range | undefined }) {
  const { hour } = useMessages();
  const { link } = useScope();
  if (newest === undefined) return null;
  const range = { kind: "between", ...newest } as const;
  return (
    <p className={styles["ways"]}>
      <Link
        href={link(target === null ? "/models" : "/model", { target, range })}
        className={controls["button"]}
      >
        {hour.onlyThis}
      </Link>
    </p>
  );
}
