import { type ReactNode, useEffect, useId, useRef } from "react";
import { useMessages } from "../app/preferences.tsx";
import controls from "./controls.module.css";
import styles from "./dialog.module.css";

export interface DialogProps {
  readonly title: string;
  /** What the button says that changes nothing. */
  readonly closeText?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A sheet above the page. The browser's own dialog keeps the focus inside and needs no styles injected. */
export function Dialog({ title, closeText, onClose, children }: DialogProps) {
  const { close } = useMessages();
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    // It is closed by being taken out of the page.
    if (element.current?.open === false) element.current.showModal();
  }, []);
  return (
    <dialog ref={element} className={styles["dialog"]} aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{title}</h2>
      {children}
      <form method="dialog">
        <button type="submit" className={controls["button"]}>
          {closeText ?? close}
        </button>
      </form>
    </dialog>
  );
}
