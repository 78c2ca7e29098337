import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { overviewQuery } from "../../api/queries.ts";
import { useEarlierOverview } from "../../api/use-earlier.ts";
import { describeContext, isSameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import type { RangeChoice } from "../../app/range.ts";
import { describeRange } from "../../app/range-picker.tsx";
import type { Target } from "../../app/scope.ts";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import {
  CELL_COLUMNS,
  cellLook,
  cellValues,
  describeCell,
  describeChange,
  NO_CALLS,
} from "../../components/cell.ts";
import { Panel } from "../../components/panel.tsx";
import { shareOf } from "../now/worst-changes.ts";
import styles from "./models-page.module.css";

const USUAL_RANGE: RangeChoice = { kind: "last", text: "28d" };

/** The endpoints of one model side by side. */
export function EndpointsPanel({ target }: { target: Target }) {
  const messages = useMessages();
  const { models, columns } = messages;
  const { scope, link } = useScope();
  const { project, zone, formats } = useView();
  const range = scope.range ?? USUAL_RANGE;
  const whole = { ...target, endpoint: null };
  const earlier = useEarlierOverview({ project: project.slug, target: whole }, range);
  const overview = useQuery(overviewQuery({ project: project.slug, target: whole }, range));
  return (
    <Panel
      title={models.endpoints}
      note={models.note(describeRange(range, messages, formats), zone)}
      state={overview}
      isEmpty={({ targets }) => targets.length === 0}
      empty={messages.week.empty}
      skeleton="low"
      table={({ targets, range: seen }) => ({
        title: models.endpoints,
        context: describeContext(project.slug, zone, seen, { ...scope, target: whole }),
        columns: [
          columns.endpoint,
          ...CELL_COLUMNS.map((name) => messages.cellColumns[name]),
          columns.attempts,
          columns.p50,
          columns.p95,
        ],
        rows: targets.map((one) => [
          one.endpoint,
          ...cellValues(shareOf(one, scope.count)),
          one.attempts,
          one.latencyMs.p50,
          one.latencyMs.p95,
        ]),
      })}
    >
      {({ targets }) => (
        <table className={styles["table"]}>
          <thead>
            <tr>
              <th scope="col">{columns.endpoint}</th>
              <th scope="col">{models.share}</th>
              <th scope="col">{columns.attempts}</th>
              <th scope="col">{messages.quantilesShort.p95}</th>
            </tr>
          </thead>
          <tbody>
            {targets.map((figures) => {
              const then = earlier?.targets.find((one) => isSameTarget(one, figures));
              const change =
                earlier === null
                  ? null
                  : describeChange(
                      shareOf(figures, scope.count),
                      then === undefined ? NO_CALLS : shareOf(then, scope.count),
                      messages,
                      formats,
                    );
              const { endpoint, attempts, latencyMs } = figures;
              const share = shareOf(figures, scope.count);
              const words = describeCell(share, messages, formats);
              return (
                <tr key={endpoint}>
                  <th scope="row">
                    <Link href={link("/model", { target: { ...target, endpoint } })}>
                      {endpoint === "" ? models.unnamedEndpoint : endpoint}
                    </Link>
                  </th>
                  <td className={styles["share"]}>
                    <span className={styles["swatch"]} data-look={cellLook(share)} />
                    <strong data-thin={share.state !== "enough" || undefined}>{words.share}</strong>{" "}
                    <span>{words.counts}</span>
                    {change !== null && <span className={styles["change"]}>{change}</span>}
                  </td>
                  <td>{formats.count(attempts)}</td>
                  <td>{formats.milliseconds(latencyMs.p95)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
