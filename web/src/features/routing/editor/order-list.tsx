import { type ReactNode, useState } from "react";
import { MoveButton } from "../../../components/move-button.tsx";
import { useRouting } from "../use-routing.ts";
import { move } from "./draft.ts";
import styles from "./editor.module.css";

export interface OrderListProps {
  readonly label: string;
  readonly ids: readonly string[];
  readonly onMove: (ids: readonly string[]) => void;
  /** What is said of one, and what else can be done with it. */
  readonly children?: (id: string) => ReactNode;
}

/** A list whose order one changes: by dragging, or by buttons that keep the focus on what moves. */
export function OrderList({ label, ids, onMove, children }: OrderListProps) {
  const words = useRouting().editor;
  const [dragged, setDragged] = useState<number | null>(null);
  const [said, setSaid] = useState("");
  const moveTo = (from: number, to: number) => {
    const id = ids[from];
    if (id === undefined || from === to || to < 0 || to >= ids.length) return;
    onMove(move(ids, from, to));
    setSaid(words.moved(id, to + 1));
  };
  return (
    <>
      <ol className={styles["order"]} aria-label={label}>
        {ids.map((id, at) => (
          <li
            key={id}
            draggable
            data-dragged={dragged === at || undefined}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = "move";
              event.dataTransfer.setData("text/plain", id);
              setDragged(at);
            }}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              if (dragged !== at) {
                moveTo(dragged, at);
                setDragged(at);
              }
            }}
            onDrop={(event) => event.preventDefault()}
            onDragEnd={() => setDragged(null)}
          >
            <span className={styles["place"]}>{at + 1}</span>
            <span className={styles["name"]}>{id}</span>
            <span className={styles["about"]}>{children?.(id)}</span>
            <MoveButton isUp label={words.up(id)} isOff={at === 0} onClick={() => moveTo(at, at - 1)} />
            <MoveButton
              label={words.down(id)}
              isOff={at === ids.length - 1}
              onClick={() => moveTo(at, at + 1)}
            />
          </li>
        ))}
      </ol>
      <p className="hidden" role="status">
        {said}
      </p>
    </>
  );
}
