import { useState } from "react";
import { useMessages } from "../app/preferences.tsx";
import { ScrollBox } from "./scroll-box.tsx";
import { sortRows, type TableData } from "./table-data.ts";
import styles from "./twin-table.module.css";

interface Order {
  readonly column: number;
  readonly direction: "ascending" | "descending";
}

/** More rows than this help nobody on a screen; the CSV has them all. */
const MAX_ROWS = 2_400;

/** The picture's numbers as a table that sorts by its heads. */
export function TwinTable({ table }: { table: TableData }) {
  const { panel } = useMessages();
  const [order, setOrder] = useState<Order | null>(null);
  const rows = order === null ? table.rows : sortRows(table.rows, order.column, order.direction);
  return (
    <ScrollBox label={table.title} isLow>
      <table className={styles["table"]}>
        <thead>
          <tr>
            {table.columns.map((name, column) => (
              <th key={name} scope="col" aria-sort={order?.column === column ? order.direction : undefined}>
                <button
                  type="button"
                  title={panel.sortBy(name)}
                  onClick={() => setOrder(nextOrder(order, column))}
                >
                  {name}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row) => (
            <tr key={row.join("\n")}>
              {row.map((value, column) => (
                <td key={table.columns[column]} data-number={typeof value === "number" || undefined}>
                  {typeof value === "number" ? roundForEyes(value) : (value ?? "–")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function nextOrder(order: Order | null, column: number): Order {
  const isAgain = order?.column === column && order.direction === "descending";
  return { column, direction: isAgain ? "ascending" : "descending" };
}

const roundForEyes = (value: number) => (Number.isInteger(value) ? value : Number(value.toFixed(4)));
