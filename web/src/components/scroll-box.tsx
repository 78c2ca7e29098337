import type { ReactNode } from "react";
import styles from "./scroll-box.module.css";

export interface ScrollBoxProps {
  readonly label: string;
  /** Scrolls down as well, within a height. */
  readonly isLow?: boolean;
  readonly children: ReactNode;
}

/** Scrolls by itself what is wider than the page, by keyboard too. */
export function ScrollBox({ label, isLow = false, children }: ScrollBoxProps) {
  return (
    // biome-ignore-start lint/a11y: a box that scrolls must be reachable by keyboard, and is no landmark
    <div className={styles["box"]} data-low={isLow || undefined} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
    // biome-ignore-end lint/a11y: see above
  );
}
