import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { heatmapQuery, seriesQuery } from "../../api/queries.ts";
import { nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { type Target, useScope } from "../../app/scope.ts";
import { useView } from "../../app/view.tsx";
import { cellLook } from "../../components/cell.ts";
import { LineIcon, StateIcon } from "../../components/icons.tsx";
import { hourOfWeekAt } from "../../time/zone.ts";
import { stripHeight, toStrip } from "./strip.ts";
import styles from "./tile.module.css";
import type { NowShare } from "./tile-state.ts";

export interface TileProps {
  readonly target: Target;
  readonly now: NowShare;
  readonly nowMs: number;
  readonly isPicked: boolean;
  readonly mayFetch: boolean;
  readonly onPick: () => void;
}

/** One model at one endpoint, now: its state in a word, its share against the usual one, its last day. */
export function Tile({ target, now, nowMs, isPicked, mayFetch, onPick }: TileProps) {
  const messages = useMessages();
  const { scope, link } = useScope();
  const { project, zone, formats } = useView();
  const where = { project: project.slug, target };
  const usual = useQuery({
    ...heatmapQuery({ ...where, zone, count: scope.count, range: null }),
    enabled: mayFetch,
  });
  const usualNow = usual.data?.cells[hourOfWeekAt(nowMs, zone)];
  const { cell } = now;
  const name = nameTarget(target);
  return (
    <li
      className={styles["tile"]}
      data-state={now.state}
      data-picked={isPicked || undefined}
      aria-busy={usual.isPending}
    >
      <p className={styles["state"]}>
        <StateIcon state={now.state} />
        {messages.now.tile[now.state]}
      </p>
      <button
        type="button"
        className={styles["name"]}
        aria-pressed={isPicked}
        title={messages.now.pick(name)}
        onClick={onPick}
      >
        <span className={styles["model"]}>{target.model}</span>
        <span className={styles["endpoint"]}>{target.endpoint || target.provider}</span>
      </button>
      <p className={styles["figures"]}>
        <span className={styles["share"]}>{cell.rate === null ? "–" : formats.share(cell.rate)}</span>
        <span className={styles["usual"]}>
          {usualNow !== undefined && usualNow.state === "enough" && usualNow.rate !== null
            ? messages.now.usual(formats.share(usualNow.rate))
            : usual.isPending
              ? "\u00a0"
              : messages.now.usualUnknown}
        </span>
      </p>
      <Strip target={target} mayFetch={mayFetch} />
      <p className={styles["foot"]}>
        <span>
          {messages.cell.counts(formats.count(cell.k), formats.count(cell.n))} ·{" "}
          {messages.now.lastHours(now.hours)}
        </span>
        <Link
          href={link("/model", { target })}
          className={styles["open"]}
          aria-label={messages.now.openModel(name)}
          title={messages.now.openModel(name)}
        >
          <LineIcon name="right" />
        </Link>
      </p>
    </li>
  );
}

/** 24 hours: the bar is what was measured, the line over it what is usual at that hour. A gap is a gap. */
function Strip({ target, mayFetch }: { target: Target; mayFetch: boolean }) {
  const { scope } = useScope();
  const { project, zone } = useView();
  const where = { project: project.slug, target };
  const usual = useQuery({
    ...heatmapQuery({ ...where, zone, count: scope.count, range: null }),
    enabled: mayFetch,
  });
  const series = useQuery({
    ...seriesQuery({ ...where, zone, range: { kind: "last", text: "24h" }, step: "1h" }),
    enabled: mayFetch,
  });
  const hours =
    series.data === undefined ? [] : toStrip(series.data.points, usual.data?.cells, zone, scope.count);
  return (
    <svg className={styles["strip"]} viewBox="0 0 240 32" preserveAspectRatio="none" aria-hidden="true">
      {hours.map(({ startMs, measured, usual: usualCell, isOpen }, i) => {
        const x = i * 10;
        const height = Math.max(measured.state === "none" ? 0 : 1.5, stripHeight(measured) * 30);
        const usualY = 31 - stripHeight(usualCell) * 30;
        return (
          <g key={startMs}>
            <rect
              className={styles["bar"]}
              data-bar={cellLook(measured)}
              data-open={isOpen || undefined}
              x={x + 1}
              width={8}
              y={32 - height}
              height={height}
            />
            {usualCell !== null && usualCell.state === "enough" && (
              <path className={styles["line"]} d={`M${x} ${usualY}h10`} />
            )}
          </g>
        );
      })}
    </svg>
  );
}
