import type { ReactNode } from "react";
import { ScrollBox } from "../../components/scroll-box.tsx";
import tables from "../../components/table.module.css";
import styles from "./settings-page.module.css";

export interface Row {
  readonly id: string | number;
  readonly isOver?: boolean;
  /** The first one is what the row is about. */
  readonly cells: readonly ReactNode[];
}

export interface RowsTableProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
}

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
                <td key={i}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
