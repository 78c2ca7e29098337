import type { EpisodesAnswer } from "../../../../server/contract/episode.ts";
import { nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import { startOfDays } from "./days.ts";
import { busiestHour, listDayMarks, type TimelineRow } from "./episode-rows.ts";
import styles from "./timeline.module.css";

const MINUTE_MS = 60_000;
const WIDTH = 1_000;

interface TimelineProps {
  readonly rows: readonly TimelineRow[];
  readonly data: EpisodesAnswer;
}

/** A line per target: when it was short, at which hours that begins, and how long it usually takes. */
export function Timeline({ rows, data }: TimelineProps) {
  const { episodes } = useMessages();
  const { zone, formats } = useView();
  const marks = listDayMarks(data, startOfDays(data.range, zone));
  return (
    <table className={styles["table"]}>
      <thead>
        <tr>
          <th scope="col">{episodes.columns.target}</th>
          <th scope="col">
            {episodes.columns.when}
            <span className={styles["axis"]} aria-hidden="true">
              {marks.map(({ atMs, place }) => (
                <span key={atMs} className={styles["date"]} style={{ left: `${place * 100}%` }}>
                  {formats.day(atMs)}
                </span>
              ))}
            </span>
          </th>
          <th scope="col">{episodes.columns.hours}</th>
          <th scope="col">{episodes.columns.recovery}</th>
          <th scope="col">{episodes.columns.tries}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Line key={`${row.target.provider}\n${nameTarget(row.target)}`} row={row} marks={marks} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ row: { target, bars }, marks }: { row: TimelineRow; marks: readonly { place: number }[] }) {
  const { episodes } = useMessages();
  const { formats } = useView();
  const { recovery, tries, startHours } = target;
  const name = nameTarget(target);
  return (
    <tr>
      <th scope="row">
        {target.model}
        <span className={styles["where"]}>
          {[target.provider, target.endpoint].filter((text) => text !== "").join(" · ")}
        </span>
      </th>
      <td className={styles["line"]}>
        <svg
          viewBox={`0 0 ${WIDTH} 28`}
          preserveAspectRatio="none"
          role="img"
          aria-label={episodes.strip(name, target.episodes)}
        >
          {marks.map(({ place }) => (
            <path key={place} className={styles["day"]} d={`M${place * WIDTH} 0v28`} />
          ))}
          {bars.map(({ id, from, width, isProviderWide }) => (
            <rect
              key={id}
              className={styles["bar"]}
              x={from * WIDTH}
              width={width * WIDTH}
              y={isProviderWide ? 2 : 10}
              height={isProviderWide ? 26 : 18}
            />
          ))}
          <path className={styles["base"]} d={`M0 27.5h${WIDTH}`} />
        </svg>
      </td>
      <td className={styles["hours"]}>
        <Hours hours={startHours} label={episodes.hoursLabel(name, formats.hour(busiestHour(startHours)))} />
      </td>
      <td>
        {recovery === null
          ? "–"
          : episodes.recovery(
              formats.duration(recovery.minutesP50 * MINUTE_MS),
              formats.duration(recovery.minutesP90 * MINUTE_MS),
            )}
      </td>
      <td className={styles["tries"]}>{tries.p50 ?? "–"}</td>
    </tr>
  );
}

/** How many episodes began at which hour of the day. */
function Hours({ hours, label }: { hours: readonly number[]; label: string }) {
  const { formats } = useView();
  const most = Math.max(1, ...hours);
  return (
    <svg viewBox="0 0 240 28" preserveAspectRatio="none" role="img" aria-label={label}>
      {hours.map((count, hour) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
          key={hour}
          className={styles["bar"]}
          x={hour * 10 + 1}
          width={8}
          y={27 - (count / most) * 25}
          height={(count / most) * 25}
        >
          <title>{`${formats.hour(hour)}: ${count}`}</title>
        </rect>
      ))}
      <path className={styles["base"]} d="M0 27.5h240" />
    </svg>
  );
}
