import { type HTMLInputTypeAttribute, type ReactNode, useId } from "react";
import { useMessages } from "../../app/preferences.tsx";
import controls from "../../components/controls.module.css";
import { CopyButton } from "../../components/copy-button.tsx";
import styles from "./settings-page.module.css";

export interface TextFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: HTMLInputTypeAttribute;
  readonly autoComplete?: string;
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

export function TextField({ label, hint, value, onChange, autoComplete = "off", ...input }: TextFieldProps) {
  const help = useId();
  return (
    <label className={controls["field"]}>
      <span>{label}</span>
      <input
        className={controls["input"]}
        value={value}
        autoComplete={autoComplete}
        aria-describedby={hint === undefined ? undefined : help}
        onChange={(event) => onChange(event.target.value)}
        {...input}
      />
      {hint !== undefined && (
        <span id={help} className={styles["hint"]}>
          {hint}
        </span>
      )}
    </label>
  );
}

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
