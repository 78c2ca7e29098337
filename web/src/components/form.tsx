import type { ReactNode } from "react";
import { useMessages } from "../app/preferences.tsx";
import controls from "./controls.module.css";
import { CopyButton } from "./copy-button.tsx";
import styles from "./form.module.css";

/** Why a change was refused. */
export function Refusal({ error }: { error: Error | null }) {
  const { sample } = useMessages();
  return error === null ? null : (
    <p role="alert" className={styles["refusal"]}>
      {sample.failed(error.message)}
    </p>
  );
}

export function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      className={styles["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** What is shown once: a key, a link. */
export function Secret({ text, note }: { text: string; note: string }) {
  const { settings } = useMessages();
  return (
    <div className={styles["secret"]} role="status">
      <p>{note}</p>
      <code>{text}</code>
      <CopyButton className={controls["button"]} text={() => text} done={settings.copied}>
        {settings.copy}
      </CopyButton>
    </div>
  );
}
