import { useQuery } from "@tanstack/react-query";
import { heatmapQuery } from "../../api/queries.ts";
import { useMessages } from "../../app/preferences.tsx";
import { type Target, useScope } from "../../app/scope.ts";
import { useView } from "../../app/view.tsx";
import { cellLook, speakCell } from "../../components/cell.ts";
import { hourOfWeekAt } from "../../time/zone.ts";
import { stripHeight } from "../now/strip.ts";
import styles from "./usual-day.module.css";

/** Popular times: a bar per hour of today's weekday, as it usually is; the hour that it is now is marked. */
export function UsualDay({ target, nowMs }: { target: Target; nowMs: number }) {
  const messages = useMessages();
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const { count } = scope;
  const usual = useQuery(heatmapQuery({ project: project.slug, target, zone, count, range: null }));
  const nowHour = hourOfWeekAt(nowMs, zone);
  const first = Math.floor(nowHour / 24) * 24;
  const cells = usual.data?.cells.slice(first, first + 24) ?? [];
  const now = usual.data?.cells[nowHour];
  const spoken = now === undefined ? "" : speakCell(now, messages, formats);
  return (
    <svg
      className={styles["strip"]}
      viewBox="0 0 240 30"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${messages.models.popular}, ${formats.hour(nowHour % 24)}: ${spoken}`}
    >
      {cells.map((cell, hour) => {
        const height = cell.state === "none" ? 0 : Math.max(1.5, stripHeight(cell) * 26);
        return (
          <rect
            key={cell.hourOfWeek}
            data-bar={cellLook(cell)}
            x={hour * 10 + 1}
            width={8}
            y={27 - height}
            height={height}
          >
            <title>{`${formats.hour(hour)}: ${speakCell(cell, messages, formats)}`}</title>
          </rect>
        );
      })}
      <path className={styles["base"]} d="M0 27.5h240" />
      <path className={styles["now"]} d={`M${(nowHour % 24) * 10} 28.75h10`} />
    </svg>
  );
}
