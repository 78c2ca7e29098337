import { useQuery } from "@tanstack/react-query";
import type { Sources } from "../../../../server/contract/listing.ts";
import { sourcesQuery } from "../../api/queries.ts";
import { describeContext } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { earlierByMs, type RangeChoice } from "../../app/range.ts";
import { describeRange } from "../../app/range-picker.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useNow, useView } from "../../app/view.tsx";
import { describeCell } from "../../components/cell.ts";
import { OutsideRange } from "../../components/outside-range.tsx";
import { Panel } from "../../components/panel.tsx";
import { ScrollBox } from "../../components/scroll-box.tsx";
import tables from "../../components/table.module.css";
import { CLOCK_TOLERANCE_MS, type FoundBlindSpot, listBlindSpots, listWarnings } from "./arrivals.ts";
import styles from "./sources-page.module.css";

const USUAL_RANGE: RangeChoice = { kind: "last", text: "24h" };
const HOUR_MS = 3_600_000;

type Source = Sources["sources"][number];

/** Who sends: how much, how well, and what to look at. */
export function SendersPanel() {
  const messages = useMessages();
  const { sources, cellColumns } = messages;
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const nowMs = useNow();
  const where = { project: project.slug };
  const range = scope.range ?? USUAL_RANGE;
  const query = useQuery(sourcesQuery(where, scope.range));
  const agoMs = earlierByMs(range, scope.compare ?? "before");
  const earlier = useQuery({
    ...sourcesQuery(where, range, undefined, agoMs),
    enabled: scope.compare !== null,
  });
  const earlierRate = (name: string) => {
    const then = scope.compare === null ? undefined : earlier.data;
    if (then === undefined) return null;
    const source = then.sources.find((one) => one.source === name);
    return source === undefined ? 0 : eventsPerHour(source, then);
  };
  const heads = sources.listColumns;
  return (
    <Panel
      title={sources.list}
      note={`${describeRange(range, messages, formats)} · ${zone}`}
      state={query}
      isEmpty={(data) => data.sources.length === 0}
      empty={sources.listEmpty}
      skeleton="low"
      table={(data) => ({
        title: sources.list,
        context: describeContext(project.slug, zone, data.range, { ...scope, target: null }),
        columns: [
          heads.source,
          heads.last,
          heads.rate,
          heads.failures,
          heads.capacity,
          cellColumns.calls,
          heads.rejected,
          heads.dropped,
          sources.clockColumn,
        ],
        rows: data.sources.map((source) => [
          source.source,
          source.lastEventAt,
          Number(eventsPerHour(source, data).toFixed(2)),
          source.failures.rate,
          source.capacity.rate,
          source.capacity.n,
          source.rejected,
          source.dropped,
          source.clockOffsetMs,
        ]),
      })}
    >
      {(data) => (
        <>
          <Quiet data={data} />
          <ScrollBox label={sources.list}>
            <table className={tables["table"]}>
              <thead>
                <tr>
                  {Object.entries(heads).map(([name, head]) => (
                    <th key={name} scope="col">
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.sources.map((source) => (
                  <Row
                    key={source.source}
                    source={source}
                    data={data}
                    rateBefore={earlierRate(source.source)}
                    nowMs={nowMs}
                  />
                ))}
              </tbody>
            </table>
          </ScrollBox>
          <BlindSpots found={listBlindSpots(data.sources)} />
        </>
      )}
    </Panel>
  );
}

/** Nobody sent anything in the range, but somebody did before. */
function Quiet({ data }: { data: Sources }) {
  const isQuiet = data.sources.every(({ attempts }) => attempts === 0);
  const seen = data.sources.flatMap(({ lastEventAt }) =>
    lastEventAt === null ? [] : [Date.parse(lastEventAt)],
  );
  return isQuiet && seen.length > 0 ? <OutsideRange lastSeenMs={Math.max(...seen)} days={1} /> : null;
}

/** What sources do not show, with the remedy. */
function BlindSpots({ found }: { found: readonly FoundBlindSpot[] }) {
  const { sources } = useMessages();
  const { formats } = useView();
  if (found.length === 0) return null;
  const tell = ({ code, certainty, instrument, calls }: FoundBlindSpot) => {
    const text =
      code === "hidesRetries"
        ? sources.blindSpots.hidesRetries(instrument === "" ? sources.blindSpots.instrument : instrument)
        : sources.blindSpots.omitsFailures(formats.count(calls));
    return certainty === "likely" ? sources.blindSpots.probably(text) : text;
  };
  return (
    <section className={styles["blindSpots"]} aria-label={sources.blindSpots.title}>
      <h3>{sources.blindSpots.title}</h3>
      <dl>
        {found.map((spot) => (
          <div key={[spot.source, spot.instrument, spot.code, spot.calls].join("\n")}>
            <dt>{spot.source === "" ? sources.unnamed : spot.source}</dt>
            <dd>{tell(spot)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function eventsPerHour(source: Source, { range }: Sources): number {
  const hours = (Date.parse(range.to) - Date.parse(range.from)) / HOUR_MS;
  return source.attempts / Math.max(hours, 1 / 60);
}

interface RowProps {
  readonly source: Source;
  readonly data: Sources;
  /** Events per hour in the time that one compares with; `null` when one does not. */
  readonly rateBefore: number | null;
  readonly nowMs: number;
}

function Row({ source, data, rateBefore, nowMs }: RowProps) {
  const messages = useMessages();
  const { sources } = messages;
  const { formats } = useView();
  const { lastEventAt, clockOffsetMs, lastRejection, rejected, accepted, dropped, lastDroppedAt } = source;
  const failures = describeCell(source.failures, messages, formats);
  const capacity = describeCell(source.capacity, messages, formats);
  return (
    <tr>
      <th scope="row">{source.source === "" ? sources.unnamed : source.source}</th>
      <td>{lastEventAt === null ? "–" : formats.ago(Date.parse(lastEventAt), nowMs)}</td>
      <td>
        {formats.rate(eventsPerHour(source, data))}
        {rateBefore !== null && (
          <span className={styles["detail"]}>{sources.was(formats.rate(rateBefore))}</span>
        )}
      </td>
      <td>
        {failures.share} <span className={styles["detail"]}>{failures.counts}</span>
      </td>
      <td>
        {capacity.share} <span className={styles["detail"]}>{capacity.counts}</span>
      </td>
      <td>
        {rejected === 0
          ? "0"
          : sources.rejectedOf(formats.count(rejected), formats.count(accepted + rejected))}
        {lastRejection !== null && (
          <span className={styles["detail"]}>
            {sources.rejectedFix(lastRejection.pointer || "/", lastRejection.detail)}
          </span>
        )}
      </td>
      <td>
        {formats.count(dropped)}
        {lastDroppedAt !== null && (
          <span className={styles["detail"]}>
            {sources.droppedLast(formats.ago(Date.parse(lastDroppedAt), nowMs))}
          </span>
        )}
      </td>
      <td>{clockOffsetMs === null ? "–" : tellClock(clockOffsetMs)}</td>
      <td className={styles["warning"]}>
        {listWarnings(source).map((warning) => (
          <span key={warning}>{sources.warnings[warning]}</span>
        ))}
      </td>
    </tr>
  );

  function tellClock(offsetMs: number): string {
    if (Math.abs(offsetMs) < CLOCK_TOLERANCE_MS) return sources.clockRight;
    const length = formats.duration(Math.abs(offsetMs));
    return offsetMs > 0 ? sources.clockAhead(length) : sources.clockBehind(length);
  }
}
