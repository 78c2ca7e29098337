import { type CSSProperties, type KeyboardEvent, useId, useRef, useState } from "react";
import type { HourColumn } from "./ahead.ts";
import styles from "./queue.module.css";

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** A bar for each hour before its expected share: columns, and on phones rows. One tab stop; arrows go on. */
export function HourColumns({ columns, label }: { columns: readonly HourColumn[]; label: string }) {
  const [current, setCurrent] = useState(0);
  const [tip, setTip] = useState<number | null>(null);
  const row = useRef<HTMLDivElement>(null);
  const tipId = useId();
  const move = (event: KeyboardEvent) => {
    if (event.key === "Escape" && tip !== null) {
      setTip(null);
      return;
    }
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(columns.length - 1, Math.max(0, current + step));
    setCurrent(next);
    row.current?.querySelectorAll<HTMLElement>("[role=gridcell]")[next]?.focus();
  };
  return (
    // biome-ignore-start lint/a11y: a grid of cells of which one can have the focus; a table has no bars
    <div className={styles["hours"]}>
      <div role="grid" aria-label={label} onKeyDown={move}>
        <div ref={row} role="row" className={styles["row"]}>
          {columns.map((column, i) => (
            <div
              key={column.from}
              role="gridcell"
              tabIndex={i === current ? 0 : -1}
              className={styles["hour"]}
              data-good={column.isGood || undefined}
              data-third={i % 3 === 0 || undefined}
              aria-label={[column.when, ...column.lines].join(", ")}
              aria-describedby={tip === i ? tipId : undefined}
              onFocus={() => {
                setCurrent(i);
                setTip(i);
              }}
              onBlur={() => setTip(null)}
              onMouseEnter={() => setTip(i)}
              onMouseLeave={() => setTip(null)}
            >
              <Bar column={column} />
              <span className={styles["label"]} aria-hidden="true">
                {column.label}
              </span>
            </div>
          ))}
        </div>
      </div>
      {tip !== null && columns[tip] !== undefined && (
        <Tip
          column={columns[tip]}
          id={tipId}
          place={tip / columns.length}
          onHover={(isOver) => setTip(isOver ? tip : null)}
        />
      )}
    </div>
    // biome-ignore-end lint/a11y: see above
  );
}

function Bar({ column: { look, total, height, parts } }: { column: HourColumn }) {
  return (
    <span className={styles["field"]} data-look={look} aria-hidden="true">
      {total > 0 && (
        <span className={styles["bar"]} style={{ "--part": height } as CSSProperties}>
          {parts.map(({ kind, jobs }) => (
            <span key={kind} data-kind={kind} style={{ flexGrow: jobs }} />
          ))}
        </span>
      )}
    </span>
  );
}

interface TipProps {
  readonly column: HourColumn;
  readonly id: string;
  /** 0–1: where its hour begins. */
  readonly place: number;
  readonly onHover: (isOver: boolean) => void;
}

/** All that an hour says, beside it: it touches the column, so that it can be pointed at. */
function Tip({ column, id, place, onHover }: TipProps) {
  return (
    <div
      id={id}
      role="tooltip"
      className={styles["tip"]}
      data-late={place >= 0.5 || undefined}
      style={{ "--place": place } as CSSProperties}
      onMouseEnter={() => onHover(true)}
      onMouseLeave={() => onHover(false)}
    >
      <p className={styles["when"]}>{column.when}</p>
      {column.lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
