import type { HeatmapCell } from "../../../../server/contract/share.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import { cellLook, speakCell } from "../../components/cell.ts";
import { stripHeight } from "../now/strip.ts";
import styles from "./usual-day.module.css";

export interface UsualDayProps {
  /** The hours of today's weekday, as they usually are. */
  readonly today: readonly HeatmapCell[];
  readonly nowHour: number;
}

/** Popular times: a bar per hour of today's weekday, as it usually is; the hour that it is now is marked. */
export function UsualDay({ today, nowHour }: UsualDayProps) {
  const messages = useMessages();
  const { formats } = useView();
  const now = today[nowHour];
  const spoken = now === undefined ? "" : speakCell(now, messages, formats);
  return (
    <svg
      className={styles["strip"]}
      viewBox="0 0 240 30"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${messages.models.popular}, ${formats.hour(nowHour)}: ${spoken}`}
    >
      {today.map((cell, hour) => {
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
      <path className={styles["now"]} d={`M${nowHour * 10} 28.75h10`} />
    </svg>
  );
}
