import type { Cell } from "./cell.ts";

export interface GridCell {
  /** Names it in the address when it is opened. */
  readonly id: string;
  readonly cell: Cell;
  /** The same hour in the time that one compares with; absent when one does not. */
  readonly before?: Cell | undefined;
  /** `Tuesday, 14:00–15:00`. */
  readonly when: string;
  readonly isNow: boolean;
  /** What sets it apart, in words; it is outlined then. */
  readonly mark?: string | undefined;
}

export interface GridLine {
  readonly key: string;
  readonly label: string;
  readonly isNow: boolean;
}

export interface GridModel {
  readonly columns: readonly GridLine[];
  /** `null`: there is no such hour, or it has not come yet. */
  readonly rows: readonly (GridLine & { readonly cells: readonly (GridCell | null)[] })[];
}

/** The same grid with its hours down and its days across, for narrow screens. */
export function transposeGrid({ columns, rows }: GridModel): GridModel {
  return {
    columns: rows.map(({ key, label, isNow }) => ({ key, label, isNow })),
    rows: columns.map((column, i) => ({ ...column, cells: rows.map(({ cells }) => cells[i] ?? null) })),
  };
}

export function findCell({ rows }: GridModel, id: string | null): GridCell | null {
  if (id === null) return null;
  for (const { cells } of rows) {
    const found = cells.find((cell) => cell?.id === id);
    if (found) return found;
  }
  return null;
}

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Where a key leads within a grid of this size; `null` for keys that lead nowhere. */
export function movePlace(key: string, { row, column }: Place, rows: number, columns: number): Place | null {
  const within = (value: number, size: number) => Math.max(0, Math.min(size - 1, value));
  switch (key) {
    case "ArrowLeft":
      return { row, column: within(column - 1, columns) };
    case "ArrowRight":
      return { row, column: within(column + 1, columns) };
    case "ArrowUp":
      return { row: within(row - 1, rows), column };
    case "ArrowDown":
      return { row: within(row + 1, rows), column };
    case "Home":
      return { row, column: 0 };
    case "End":
      return { row, column: columns - 1 };
    case "PageUp":
      return { row: 0, column };
    case "PageDown":
      return { row: rows - 1, column };
    default:
      return null;
  }
}
