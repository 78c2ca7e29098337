import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import styles from "./menu.module.css";

export interface MenuProps {
  /** What the button says, for those who do not see it. */
  readonly label: string;
  readonly button: ReactNode;
  readonly shortcut?: string;
  readonly align?: "start" | "end";
  /** Class of the button, when it is not the menu's own. */
  readonly look?: string | undefined;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a small sheet under itself; Escape and a click elsewhere close it. */
export function Menu({ label, button, shortcut, align = "start", look, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const wrapper = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    trigger.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event) => {
      if (event.target instanceof Node && !wrapper.current?.contains(event.target)) setOpen(false);
    };
    const leaveByKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      trigger.current?.focus();
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    document.addEventListener("keydown", leaveByKey);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
      document.removeEventListener("keydown", leaveByKey);
    };
  }, [isOpen]);
  return (
    <div className={styles["menu"]} ref={wrapper}>
      <button
        type="button"
        ref={trigger}
        className={look ?? styles["trigger"]}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        data-shortcut={shortcut}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <section id={id} aria-label={label} className={styles["sheet"]} data-align={align}>
          {children(close)}
        </section>
      )}
    </div>
  );
}
