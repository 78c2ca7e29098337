import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { CountKind, OverviewTarget } from "../../../../server/contract/share.ts";
import { overviewQuery } from "../../api/queries.ts";
import { describeContext, nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import { describeCell } from "../../components/cell.ts";
import { Panel } from "../../components/panel.tsx";
import { LAST_WEEK } from "./last-week.ts";
import { canCompare, listWorstChanges } from "./worst-changes.ts";
import styles from "./worst-changes-panel.module.css";

function whyEmpty(targets: readonly OverviewTarget[], count: CountKind): "noCalls" | "tooThin" | "empty" {
  if (targets.length === 0) return "noCalls";
  return canCompare(targets, count) ? "empty" : "tooThin";
}

/** Which models got worse within a week. */
export function WorstChanges() {
  const messages = useMessages();
  const { changes, columns } = messages;
  const { scope, link } = useScope();
  const { project, zone, formats } = useView();
  const overview = useQuery(overviewQuery({ project: project.slug }, LAST_WEEK));
  return (
    <Panel
      title={changes.title}
      note={`${changes.note} · ${zone}`}
      state={overview}
      isEmpty={({ targets }) => listWorstChanges(targets, scope.count).length === 0}
      empty={changes[whyEmpty(overview.data?.targets ?? [], scope.count)]}
      skeleton="low"
      table={({ targets, range }) => ({
        title: changes.title,
        context: describeContext(project.slug, zone, range, { ...scope, target: null }),
        columns: [
          columns.provider,
          columns.model,
          columns.endpoint,
          messages.cellColumns.share,
          messages.cellColumns.calls,
          columns.before,
          columns.beforeCalls,
          columns.change,
        ],
        rows: listWorstChanges(targets, scope.count, targets.length).map((change) => [
          change.provider,
          change.model,
          change.endpoint,
          change.now.rate,
          change.now.n,
          change.before.rate,
          change.before.n,
          Number((change.difference * 100).toFixed(2)),
        ]),
      })}
    >
      {({ targets }) => (
        <ul className={styles["list"]}>
          {listWorstChanges(targets, scope.count).map(({ now, before, difference, isClear, ...target }) => {
            const is = describeCell(now, messages, formats);
            const was = describeCell(before, messages, formats);
            return (
              <li key={nameTarget(target)} data-clear={isClear || undefined}>
                <Link href={link("/model", { target })} className={styles["name"]}>
                  {nameTarget(target)}
                </Link>
                <strong>{changes.points(formats.points(difference))}</strong>
                <span>
                  {is.share} ({is.counts})
                </span>
                <span>
                  {changes.was(was.share, was.counts)}
                  {!isClear && ` · ${changes.maybeChance}`}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
