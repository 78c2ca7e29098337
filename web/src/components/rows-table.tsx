import type { ReactNode } from "react";
import styles from "./rows-table.module.css";
import { ScrollBox } from "./scroll-box.tsx";
import tables from "./table.module.css";

export interface Row {
  readonly id: string | number;
  readonly isOver?: boolean;
  /** The first one is what the row is about; null is nothing to say. */
  readonly cells: readonly ReactNode[];
}

export interface RowsTableProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
}

/** A table of things; on phones each thing is a list of what is known of it, so that no column is out of sight. */
export function RowsTable({ label, heads, rows }: RowsTableProps) {
  return (
    <ScrollBox label={label}>
      <table className={`${tables["table"]} ${styles["table"]}`}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, isOver = false, cells: [first, ...others] }) => (
            <tr key={id} className={isOver ? styles["over"] : undefined}>
              <th scope="row">{first}</th>
              {others.map((cell, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <td key={i} data-head={heads[i + 1]} data-none={cell === null || undefined}>
                  {cell ?? "–"}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
