import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Models } from "../../../../server/contract/listing.ts";
import type { NowTarget } from "../../../../server/contract/now.ts";
import type { Overview } from "../../../../server/contract/share.ts";
import { modelsQuery, nowQuery, overviewQuery } from "../../api/queries.ts";
import { useEarlierOverview } from "../../api/use-earlier.ts";
import { describeContext, isSameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import type { RangeChoice } from "../../app/range.ts";
import { describeRange } from "../../app/range-picker.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useNow, useView } from "../../app/view.tsx";
import {
  BEFORE_COLUMNS,
  beforeValues,
  CELL_COLUMNS,
  cellLook,
  cellValues,
  describeCell,
  describeChange,
} from "../../components/cell.ts";
import controls from "../../components/controls.module.css";
import { NoCalls } from "../../components/no-calls.tsx";
import { NothingHere } from "../../components/nothing-here.tsx";
import { type Loadable, Panel } from "../../components/panel.tsx";
import { ScrollBox } from "../../components/scroll-box.tsx";
import { usePageParam } from "../../components/use-page-param.ts";
import { hourOfWeekAt } from "../../time/zone.ts";
import {
  filterModelRows,
  type ModelRow,
  type Order,
  readOrder,
  type Sort,
  sortModelRows,
  toModelRows,
  writeOrder,
} from "./model-rows.ts";
import styles from "./models-page.module.css";
import { UsualDay } from "./usual-day.tsx";

const USUAL_RANGE: RangeChoice = { kind: "last", text: "28d" };

interface Listing {
  readonly models: Models;
  readonly overview: Overview;
}

export function ModelsPage() {
  const messages = useMessages();
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const [sort, setSort] = usePageParam("sort");
  const [text, setText] = usePageParam("q");
  const range = scope.range ?? USUAL_RANGE;
  const where = { project: project.slug };
  const listing = both(useQuery(modelsQuery(where, range)), useQuery(overviewQuery(where, range)));
  const earlier = useEarlierOverview(where, range);
  const order = readOrder(sort);
  const rowsOf = ({ models, overview }: Listing) =>
    sortModelRows(filterModelRows(toModelRows(models, overview, scope.count, earlier), text ?? ""), order);
  if (listing.data?.models.models.length === 0) return <NothingHere />;
  return (
    <>
      <h1 className="hidden">{messages.models.title}</h1>
      <Panel
        title={messages.models.title}
        note={messages.models.note(describeRange(range, messages, formats), zone)}
        state={listing}
        isEmpty={({ overview }) => overview.targets.length === 0}
        empty={<NoCalls target={null} days={28} />}
        skeleton="high"
        controls={
          <input
            type="search"
            className={`${controls["input"]} ${styles["filter"]}`}
            aria-label={messages.models.filter}
            placeholder={messages.models.filter}
            value={text ?? ""}
            onChange={(event) => setText(event.target.value)}
          />
        }
        table={(data) => ({
          title: messages.models.title,
          context: describeContext(project.slug, zone, data.overview.range, { ...scope, target: null }),
          columns: [
            messages.columns.provider,
            messages.columns.model,
            messages.columns.endpoint,
            ...CELL_COLUMNS.map((name) => messages.cellColumns[name]),
            ...(earlier === null ? [] : BEFORE_COLUMNS.map((name) => messages.columns[name])),
            messages.columns.attempts,
            messages.columns.p50,
            messages.columns.p95,
            messages.models.firstToken,
            messages.columns.lastSeen,
          ],
          rows: rowsOf(data).map((row) => [
            row.provider,
            row.model,
            row.endpoint,
            ...cellValues(row.share),
            ...(earlier === null ? [] : beforeValues(row.share, row.before)),
            row.attempts,
            row.p50,
            row.p95,
            row.firstToken,
            row.lastSeenMs === null ? null : new Date(row.lastSeenMs).toISOString(),
          ]),
        })}
      >
        {(data) => (
          <ModelTable
            rows={rowsOf(data)}
            order={order}
            onSort={(by) => setSort(writeOrder(nextOrder(order, by)))}
          />
        )}
      </Panel>
    </>
  );
}

/** Two queries as one: ready when both are, failed when one is. */
function both(models: Loadable<Models>, overview: Loadable<Overview>): Loadable<Listing> {
  return {
    data:
      models.data === undefined || overview.data === undefined
        ? undefined
        : { models: models.data, overview: overview.data },
    error: models.error ?? overview.error,
    dataUpdatedAt: Math.min(models.dataUpdatedAt, overview.dataUpdatedAt),
    refetch: () => Promise.all([models.refetch(), overview.refetch()]),
  };
}

function nextOrder(order: Order, by: Sort): Order {
  return { by, isDescending: order.by === by ? !order.isDescending : by !== "model" };
}

interface ModelTableProps {
  readonly rows: readonly ModelRow[];
  readonly order: Order;
  readonly onSort: (by: Sort) => void;
}

function ModelTable({ rows, order, onSort }: ModelTableProps) {
  const { models, columns, quantilesShort } = useMessages();
  const nowMs = useNow();
  const { scope } = useScope();
  const { project, zone } = useView();
  const now = useQuery(nowQuery({ project: project.slug, zone, count: scope.count }));
  const head = (by: Sort, text: string, isNumber = true) => (
    <th
      scope="col"
      data-number={isNumber || undefined}
      aria-sort={order.by === by ? (order.isDescending ? "descending" : "ascending") : undefined}
    >
      <button type="button" onClick={() => onSort(by)}>
        {text}
      </button>
    </th>
  );
  if (rows.length === 0) return <p className={styles["none"]}>{models.noMatch}</p>;
  return (
    <ScrollBox label={models.title}>
      <table className={styles["table"]}>
        <thead>
          <tr>
            {head("model", models.target, false)}
            <th scope="col" title={models.popularHint}>
              {models.popular}
            </th>
            {head("share", models.share, false)}
            {head("attempts", columns.attempts)}
            {head("p50", quantilesShort.p50)}
            {head("p95", quantilesShort.p95)}
            {head("firstToken", models.firstTokenShort)}
            {head("lastSeen", columns.lastSeen)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={`${row.provider}\n${row.model}\n${row.endpoint}`}
              row={row}
              usual={now.data?.targets.find((target) => isSameTarget(target, row))}
              nowMs={nowMs}
            />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

interface RowProps {
  readonly row: ModelRow;
  readonly usual: NowTarget | undefined;
  readonly nowMs: number;
}

function Row({ row, usual, nowMs }: RowProps) {
  const messages = useMessages();
  const { link } = useScope();
  const { zone, formats } = useView();
  const words = describeCell(row.share, messages, formats);
  const change = describeChange(row.share, row.before, messages, formats);
  const { provider, model, endpoint } = row;
  const target = { provider, model, endpoint };
  return (
    <tr>
      <th scope="row">
        <Link href={link("/model", { target })}>{model}</Link>
        <span>{[provider, endpoint].filter((text) => text !== "").join(" · ")}</span>
      </th>
      <td className={styles["day"]}>
        <UsualDay today={usual?.today ?? []} nowHour={hourOfWeekAt(nowMs, zone) % 24} />
      </td>
      <td className={styles["share"]}>
        <span className={styles["swatch"]} data-look={cellLook(row.share)} />
        <strong data-thin={row.share.state !== "enough" || undefined}>{words.share}</strong>
        <span>
          {row.share.state === "enough" ? words.interval : row.share.state === "few" ? words.state : ""}
        </span>
        {change !== null && <span className={styles["change"]}>{change}</span>}
      </td>
      <td data-number>{formats.count(row.attempts)}</td>
      <td data-number>{formats.milliseconds(row.p50)}</td>
      <td data-number>{formats.milliseconds(row.p95)}</td>
      <td data-number>{formats.milliseconds(row.firstToken)}</td>
      <td data-number>{row.lastSeenMs === null ? "–" : formats.ago(row.lastSeenMs, nowMs)}</td>
    </tr>
  );
}
