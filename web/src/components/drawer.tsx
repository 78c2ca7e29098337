import { type ReactNode, useEffect, useId, useRef } from "react";
import { useMessages } from "../app/preferences.tsx";
import controls from "./controls.module.css";
import styles from "./drawer.module.css";
import { LineIcon } from "./icons.tsx";

export interface DrawerProps {
  readonly title: string;
  readonly note: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A sheet at the side that tells more of one thing; Escape, its button and a click beside it close it. */
export function Drawer({ title, note, onClose, children }: DrawerProps) {
  const { close } = useMessages();
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    if (element.current?.open === false) element.current.showModal();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={element}
      className={styles["drawer"]}
      aria-labelledby={heading}
      onClose={onClose}
      onClick={(event) => {
        // What lies beside the sheet is the dialog's own backdrop.
        if (event.target === element.current) element.current?.close();
      }}
    >
      <div className={styles["sheet"]}>
        <header className={styles["head"]}>
          <div>
            <h2 id={heading}>{title}</h2>
            <p>{note}</p>
          </div>
          <form method="dialog">
            <button type="submit" className={controls["quiet"]} aria-label={close} title={close}>
              <LineIcon name="cross" />
            </button>
          </form>
        </header>
        {children}
      </div>
    </dialog>
  );
}
