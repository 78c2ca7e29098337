import { type KeyboardEvent, memo, type PointerEvent, useEffect, useRef, useState } from "react";
import { useMessages } from "../app/preferences.tsx";
import { PHONE, useMedia, useView } from "../app/view.tsx";
import { cellLook, describeCell, describeChange, speakCell } from "./cell.ts";
import { type GridCell, type GridModel, movePlace, type Place } from "./grid-model.ts";
import styles from "./heat-grid.module.css";
import { HeatTip } from "./heat-tip.tsx";

export interface HeatGridProps {
  readonly caption: string;
  readonly grid: GridModel;
  readonly density?: "roomy" | "tight";
  /** Has more columns than fit: they keep a width, and the box scrolls. */
  readonly isWide?: boolean;
  /** Somebody wants to know more of a cell. */
  readonly onOpen: (cell: GridCell) => void;
}

/** Shares as a table of cells, with one tab stop; what is pointed at or focused is told in full beside it. */
export function HeatGrid({ caption, grid, density = "roomy", isWide = false, onOpen }: HeatGridProps) {
  const { week } = useMessages();
  const wrapper = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const nowPlace = findNow(grid);
  const [stop, setStop] = useState<Place | null>(null);
  const [read, setRead] = useState<Place | null>(null);
  const tabStop = stop ?? nowPlace ?? { row: 0, column: 0 };
  const cellAt = (place: Place | null) =>
    place === null ? null : (grid.rows[place.row]?.cells[place.column] ?? null);
  const pointed = cellAt(read);

  // Escape sends the tip away wherever the focus is. A pointer that rests where the tip was comes to lie on a cell
  // then, without having been moved: that is not pointing at it.
  const pointer = useRef("");
  const restsAt = useRef<string | null>(null);
  const isShown = pointed !== null;
  useEffect(() => {
    if (!isShown) return;
    const dismiss = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape") return;
      restsAt.current = pointer.current;
      setRead(null);
    };
    document.addEventListener("keydown", dismiss);
    return () => document.removeEventListener("keydown", dismiss);
  }, [isShown]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === " ") {
      const cell = cellAt(tabStop);
      event.preventDefault();
      if (cell !== null) onOpen(cell);
      return;
    }
    const place = movePlace(event.key, tabStop, grid.rows.length, grid.columns.length);
    if (place === null) return;
    event.preventDefault();
    setStop(place);
    setRead(place);
    elementAt(table.current, place)?.focus();
  };
  const followPointer = (event: PointerEvent) => {
    pointer.current = `${event.clientX} ${event.clientY}`;
  };
  const onPoint = (event: PointerEvent) => {
    followPointer(event);
    if (restsAt.current === pointer.current) return;
    restsAt.current = null;
    // The tip may be pointed at: it stays then.
    if (event.target instanceof Element && event.target.closest("[role=tooltip]") !== null) return;
    setRead(placeOf(event.target));
  };
  return (
    <div
      ref={wrapper}
      className={styles["grid"]}
      data-density={density}
      data-wide={isWide || undefined}
      onPointerOver={onPoint}
      onPointerMove={followPointer}
      onPointerLeave={() => setRead(null)}
    >
      <Rest cell={cellAt(nowPlace)} />
      <div className={styles["box"]} onScroll={() => setRead(null)}>
        <table
          ref={table}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table that one walks through
          role="grid"
          aria-label={`${caption}. ${week.instructions}`}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            const place = placeOf(event.target);
            if (place !== null) setStop(place);
            setRead(place);
          }}
          onBlur={() => setRead(null)}
          onClick={(event) => {
            const place = placeOf(event.target);
            const cell = cellAt(place);
            if (place === null || cell === null) return;
            setStop(place);
            elementAt(table.current, place)?.focus({ preventScroll: true });
            onOpen(cell);
          }}
        >
          <thead>
            <tr>
              <td />
              {grid.columns.map((column) => (
                <th key={column.key} scope="col" data-now={column.isNow || undefined}>
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grid.rows.map((row, i) => (
              <Row key={row.key} row={row} tabColumn={tabStop.row === i ? tabStop.column : -1} />
            ))}
          </tbody>
        </table>
      </div>
      {pointed !== null && read !== null && (
        <HeatTip of={pointed} anchor={elementAt(table.current, read)} within={wrapper.current} />
      )}
    </div>
  );
}

/** The element of a cell: heads take the first row and the first column. */
function elementAt(table: HTMLTableElement | null, { row, column }: Place): HTMLElement | null {
  return table?.rows[row + 1]?.cells[column + 1] ?? null;
}

function findNow({ rows }: GridModel): Place | null {
  for (const [row, { cells }] of rows.entries()) {
    const column = cells.findIndex((cell) => cell?.isNow);
    if (column !== -1) return { row, column };
  }
  return null;
}

/** The place of the cell that an event came from; `null` for heads and gaps. */
function placeOf(target: EventTarget): Place | null {
  const cell = target instanceof Element ? target.closest("td") : null;
  const row = cell?.parentElement;
  if (!(row instanceof HTMLTableRowElement) || cell === null || row.rowIndex === 0) return null;
  return { row: row.rowIndex - 1, column: cell.cellIndex - 1 };
}

interface RowProps {
  readonly row: GridModel["rows"][number];
  /** Which of its cells is the tab stop; -1 for none. */
  readonly tabColumn: number;
}

const Row = memo(function Row({ row, tabColumn }: RowProps) {
  return (
    <tr>
      <th scope="row" data-now={row.isNow || undefined}>
        {row.label}
      </th>
      {row.cells.map((cell, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
        <HeatCell key={column} of={cell} isTabStop={column === tabColumn} />
      ))}
    </tr>
  );
});

function HeatCell({ of, isTabStop }: { of: GridCell | null; isTabStop: boolean }) {
  const messages = useMessages();
  const { formats } = useView();
  const tabIndex = isTabStop ? 0 : -1;
  if (of === null) return <td tabIndex={tabIndex} data-look="absent" />;
  const { cell, before, when, isNow, mark } = of;
  const change = describeChange(cell, before, messages, formats);
  return (
    <td
      tabIndex={tabIndex}
      data-look={cellLook(cell)}
      data-now={isNow || undefined}
      data-marked={mark !== undefined || undefined}
      aria-haspopup="dialog"
      aria-label={`${when}${mark === undefined ? "" : `, ${mark}`}: ${speakCell(cell, messages, formats)}${change === null ? "" : `, ${change}`}`}
    >
      <span aria-hidden="true">{cell.rate === null ? "" : formats.shareShort(cell.rate)}</span>
    </td>
  );
}

/** What it is like at this hour: told before anybody points. */
function Rest({ cell }: { cell: GridCell | null }) {
  const messages = useMessages();
  const { formats } = useView();
  const hint = useMedia(PHONE) ? messages.week.hintByTouch : messages.week.hint;
  if (cell === null) return <p className={styles["rest"]}>{hint}</p>;
  const words = describeCell(cell.cell, messages, formats);
  const hasCalls = cell.cell.state !== "none";
  return (
    <p className={styles["rest"]}>
      <span className={styles["swatch"]} data-look={cellLook(cell.cell)} />
      <span>{`${messages.week.now}: ${cell.when}`}</span>
      {hasCalls && <strong>{words.share}</strong>}
      {hasCalls && <span>{words.counts}</span>}
      {cell.cell.state !== "enough" && <span>{words.state}</span>}
      <span className={styles["hint"]}>{hint}</span>
    </p>
  );
}

/** What the looks mean, in numbers. */
export function HeatLegend({ mark }: { readonly mark?: string | undefined }) {
  const { week } = useMessages();
  return (
    <ul className={styles["legend"]} aria-label={week.legend}>
      {week.legendSteps.map((text, step) => (
        <li key={text}>
          <span className={styles["swatch"]} data-look={step} />
          {text}
        </li>
      ))}
      <li>
        <span className={styles["swatch"]} data-look="few" />
        {week.legendFew}
      </li>
      <li>
        <span className={styles["swatch"]} data-look="none" />
        {week.legendNone}
      </li>
      {mark !== undefined && (
        <li>
          <span className={styles["swatch"]} data-marked />
          {mark}
        </li>
      )}
    </ul>
  );
}
