import type { ReactNode } from "react";
import { Mark } from "../components/icons.tsx";
import styles from "./open-page.module.css";
import { useMessages } from "./preferences.tsx";

/** The frame of what may be seen without signing in. */
export function OpenPage({ children }: { children: ReactNode }) {
  const { product, signIn } = useMessages();
  return (
    <div className={styles["frame"]}>
      <header className={styles["header"]}>
        <span className={styles["brand"]}>
          <Mark /> {product}
        </span>
        <a href="/">{signIn.title}</a>
      </header>
      <main className={styles["main"]}>{children}</main>
    </div>
  );
}
