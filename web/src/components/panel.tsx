import { type ReactNode, useId, useState } from "react";
import { useMessages } from "../app/preferences.tsx";
import { useView } from "../app/view.tsx";
import controls from "./controls.module.css";
import { Failure } from "./notice.tsx";
import styles from "./panel.module.css";
import { PanelActions } from "./panel-actions.tsx";
import type { Picture } from "./picture/picture.ts";
import type { TableData } from "./table-data.ts";
import { TwinTable } from "./twin-table.tsx";

/** What a panel needs of a query. */
export interface Loadable<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly dataUpdatedAt: number;
  refetch(): unknown;
}

export interface PanelProps<T> {
  readonly title: string;
  /** Range, bucket and zone of what is shown. */
  readonly note?: string;
  readonly state: Loadable<T>;
  readonly isEmpty?: (data: T) => boolean;
  readonly empty?: ReactNode;
  /** Height that is kept free while it loads, so that nothing jumps. */
  readonly skeleton: "low" | "middle" | "high";
  readonly controls?: ReactNode;
  readonly table?: (data: T) => TableData;
  /** What it draws, where that can be kept as a file. */
  readonly picture?: (data: T) => Picture;
  readonly children: (data: T) => ReactNode;
}

/**
 * One picture with its frame: loading, failed, empty or ready. What was there stays while it is fetched anew, and
 * says how old it is when that fails.
 */
export function Panel<T>(props: PanelProps<T>) {
  const { title, note, state, table, picture, isEmpty } = props;
  const heading = useId();
  const [asTable, setAsTable] = useState(false);
  const { data } = state;
  const isFilled = data !== undefined && !(isEmpty?.(data) ?? false);
  return (
    <section
      className={styles["panel"]}
      aria-labelledby={heading}
      aria-busy={data === undefined && state.error === null}
    >
      <header className={styles["head"]}>
        <div>
          <h2 id={heading}>{title}</h2>
          {note !== undefined && <p className={styles["note"]}>{note}</p>}
        </div>
        {isFilled && table !== undefined && (
          <PanelActions
            title={title}
            table={() => table(data)}
            picture={picture && (() => picture(data))}
            asTable={asTable}
            onTable={setAsTable}
          />
        )}
      </header>
      {props.controls}
      <PanelBody {...props} asTable={asTable} />
    </section>
  );
}

function PanelBody<T>({
  state,
  isEmpty,
  empty,
  skeleton,
  table,
  children,
  asTable,
}: PanelProps<T> & { asTable: boolean }) {
  const { states } = useMessages();
  const { data, error } = state;
  if (data === undefined) {
    if (error !== null) return <Failure error={error} onRetry={() => state.refetch()} />;
    return (
      <div className={styles["skeleton"]} data-size={skeleton}>
        <span className="hidden" role="status">
          {states.loading}
        </span>
      </div>
    );
  }
  return (
    <>
      {error !== null && <Stale state={state} />}
      {isEmpty?.(data) ? (
        <div className={styles["empty"]}>{empty}</div>
      ) : asTable && table !== undefined ? (
        <TwinTable table={table(data)} />
      ) : (
        children(data)
      )}
    </>
  );
}

function Stale({ state }: { state: Loadable<unknown> }) {
  const { states, retry } = useMessages();
  const { formats } = useView();
  return (
    <p className={styles["stale"]} role="status">
      {states.stale(formats.time(state.dataUpdatedAt))}{" "}
      <button type="button" className={controls["quiet"]} onClick={() => state.refetch()}>
        {retry}
      </button>
    </p>
  );
}
