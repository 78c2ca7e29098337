import { Link } from "wouter";
import type { NowTarget } from "../../../../server/contract/now.ts";
import { nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import { cellLook } from "../../components/cell.ts";
import { LineIcon, StateIcon } from "../../components/icons.tsx";
import { stripHeight } from "./strip.ts";
import styles from "./tile.module.css";

export interface TileProps {
  readonly target: NowTarget;
  readonly isPicked: boolean;
  readonly onPick: () => void;
}

/** One model at one endpoint, now: its state in a word, its share against the usual one, its last day. */
export function Tile({ target, isPicked, onPick }: TileProps) {
  const messages = useMessages();
  const { link } = useScope();
  const { formats } = useView();
  const { provider, model, endpoint, usual } = target;
  const { state, hours, cell } = target.now;
  const name = nameTarget(target);
  return (
    <li className={styles["tile"]} data-state={state} data-picked={isPicked || undefined}>
      <p className={styles["state"]}>
        <StateIcon state={state} />
        {messages.now.tile[state]}
      </p>
      <button
        type="button"
        className={styles["name"]}
        aria-pressed={isPicked}
        title={messages.now.pick(name)}
        onClick={onPick}
      >
        <span className={styles["model"]}>{model}</span>
        <span className={styles["endpoint"]}>{endpoint || provider}</span>
      </button>
      <p className={styles["figures"]}>
        <span className={styles["share"]}>{cell.rate === null ? "–" : formats.share(cell.rate)}</span>
        <span className={styles["usual"]}>
          {usual.state === "enough" && usual.rate !== null
            ? messages.now.usual(formats.share(usual.rate))
            : messages.now.usualUnknown}
        </span>
      </p>
      <Strip hours={target.hours} />
      <p className={styles["foot"]}>
        <span>
          {messages.cell.counts(formats.count(cell.k), formats.count(cell.n))} ·{" "}
          {messages.now.lastHours(hours)}
        </span>
        <Link
          href={link("/model", { target: { provider, model, endpoint } })}
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
function Strip({ hours }: { hours: NowTarget["hours"] }) {
  return (
    <svg className={styles["strip"]} viewBox="0 0 240 32" preserveAspectRatio="none" aria-hidden="true">
      {hours.map(({ start, measured, usual, isOpen }, i) => {
        const x = i * 10;
        const height = Math.max(measured.state === "none" ? 0 : 1.5, stripHeight(measured) * 30);
        const usualY = 31 - stripHeight(usual) * 30;
        return (
          <g key={start}>
            <rect
              className={styles["bar"]}
              data-bar={cellLook(measured)}
              data-open={isOpen || undefined}
              x={x + 1}
              width={8}
              y={32 - height}
              height={height}
            />
            {usual.state === "enough" && <path className={styles["line"]} d={`M${x} ${usualY}h10`} />}
          </g>
        );
      })}
    </svg>
  );
}
