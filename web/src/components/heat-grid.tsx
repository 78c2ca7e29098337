import { type KeyboardEvent, memo, type SyntheticEvent, useRef, useState } from "react";
import { useMessages } from "../app/preferences.tsx";
import { useView } from "../app/view.tsx";
import { cellLook, describeCell, speakCell } from "./cell.ts";
import { type GridCell, type GridModel, movePlace, type Place } from "./grid-model.ts";
import styles from "./heat-grid.module.css";

export interface HeatGridProps {
  readonly caption: string;
  readonly grid: GridModel;
  readonly density?: "roomy" | "tight";
  /** Has more columns than fit: they keep a width, and the box scrolls. */
  readonly isWide?: boolean;
}

/** Shares as a table of cells, with one tab stop; what is pointed at or focused is told in full above. */
export function HeatGrid({ caption, grid, density = "roomy", isWide = false }: HeatGridProps) {
  const { week } = useMessages();
  const table = useRef<HTMLTableElement>(null);
  const nowPlace = findNow(grid);
  const [stop, setStop] = useState<Place | null>(null);
  const [read, setRead] = useState<Place | null>(null);
  const tabStop = stop ?? nowPlace ?? { row: 0, column: 0 };
  const rest = grid.rows[(nowPlace ?? tabStop).row]?.cells[(nowPlace ?? tabStop).column] ?? null;
  const pointed = read === null ? null : (grid.rows[read.row]?.cells[read.column] ?? null);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") return setRead(null);
    const place = movePlace(event.key, tabStop, grid.rows.length, grid.columns.length);
    if (place === null) return;
    event.preventDefault();
    const target = table.current?.rows[place.row + 1]?.cells[place.column + 1];
    setStop(place);
    setRead(place);
    target?.focus();
  };
  const onPoint = (event: SyntheticEvent) => setRead(placeOf(event.target));
  return (
    <div className={styles["grid"]} data-density={density} data-wide={isWide || undefined}>
      <Readout cell={pointed ?? (nowPlace === null ? null : rest)} isRest={pointed === null} />
      <div className={styles["box"]}>
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
          onPointerOver={onPoint}
          onPointerLeave={() => setRead(null)}
          onClick={onPoint}
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
    </div>
  );
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
  const { cell, when, isNow } = of;
  return (
    <td
      tabIndex={tabIndex}
      data-look={cellLook(cell)}
      data-now={isNow || undefined}
      aria-label={`${when}: ${speakCell(cell, messages, formats)}`}
    >
      <span aria-hidden="true">{cell.rate === null ? "" : formats.shareShort(cell.rate)}</span>
    </td>
  );
}

function Readout({ cell, isRest }: { cell: GridCell | null; isRest: boolean }) {
  const messages = useMessages();
  const { formats } = useView();
  if (cell === null) return <p className={styles["readout"]}>{messages.week.hint}</p>;
  const words = describeCell(cell.cell, messages, formats);
  return (
    <p className={styles["readout"]} data-rest={isRest || undefined}>
      <span className={styles["swatch"]} data-look={cellLook(cell.cell)} />
      <span>
        {isRest && cell.isNow ? `${messages.week.now}: ` : ""}
        {cell.when}
      </span>
      {cell.cell.state !== "none" && <strong>{words.share}</strong>}
      {cell.cell.state !== "none" && (
        <>
          <span>{words.counts}</span>
          <span>
            {messages.cell.interval} {words.interval}
          </span>
        </>
      )}
      <span>{words.state}</span>
    </p>
  );
}

/** What the looks mean, in numbers. */
export function HeatLegend() {
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
    </ul>
  );
}
