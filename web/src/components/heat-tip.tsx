import { useLayoutEffect, useRef, useState } from "react";
import { useMessages } from "../app/preferences.tsx";
import { useView } from "../app/view.tsx";
import { cellLook, describeCell, describeChange } from "./cell.ts";
import type { GridCell } from "./grid-model.ts";
import styles from "./heat-tip.module.css";

export interface HeatTipProps {
  readonly of: GridCell;
  /** The cell itself, on the page. */
  readonly anchor: HTMLElement | null;
  /** What its place is counted from. */
  readonly within: HTMLElement | null;
}

/**
 * All that a cell says, beside it. It touches the cell's corner, so that it can be pointed at, and leaves the cells
 * right below and beside free.
 */
export function HeatTip({ of, anchor, within }: HeatTipProps) {
  const messages = useMessages();
  const { zone, formats } = useView();
  const tip = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null);
  useLayoutEffect(() => {
    if (anchor === null || within === null || tip.current === null) return;
    setPlace(placeBeside(anchor.getBoundingClientRect(), within.getBoundingClientRect(), tip.current));
  }, [anchor, within]);
  const words = describeCell(of.cell, messages, formats);
  const change = describeChange(of.cell, of.before, messages, formats);
  const hasCalls = of.cell.state !== "none";
  return (
    <div
      ref={tip}
      role="tooltip"
      className={styles["tip"]}
      style={place === null ? { visibility: "hidden" } : place}
    >
      <p className={styles["when"]}>
        {of.when} <span>{zone}</span>
      </p>
      {hasCalls && (
        <p className={styles["share"]}>
          <span className={styles["swatch"]} data-look={cellLook(of.cell)} />
          <strong>{words.share}</strong> {words.counts}
        </p>
      )}
      {hasCalls && (
        <p>
          {messages.cell.interval} {words.interval}
        </p>
      )}
      <p>{words.state}</p>
      {change !== null && <p>{change}</p>}
      <p className={styles["more"]}>{messages.cell.open}</p>
    </div>
  );
}

/** Below and right of the cell; above or left of it where the screen ends. */
function placeBeside(cell: DOMRect, outer: DOMRect, tip: HTMLElement): { left: number; top: number } {
  const { offsetWidth: width, offsetHeight: height } = tip;
  const isLeft = cell.right + width > document.documentElement.clientWidth;
  const isAbove = cell.bottom + height > innerHeight && cell.top > height;
  const left = (isLeft ? Math.max(0, cell.left - width) : cell.right) - outer.left;
  return { left, top: (isAbove ? cell.top - height : cell.bottom) - outer.top };
}
