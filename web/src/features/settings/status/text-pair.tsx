import { useId } from "react";
import type { LocalText } from "../../../../../server/contract/status.ts";
import controls from "../../../components/controls.module.css";
import { TextField } from "../../../components/text-field.tsx";
import styles from "./status.module.css";
import { useStatus } from "./use-status.ts";

const LANGUAGES = ["en", "zh"] as const;

export interface TextPairProps {
  /** Of the field in a language. */
  readonly label: (language: string) => string;
  readonly value: LocalText;
  readonly onChange: (value: LocalText) => void;
  readonly maxLength: number;
  /** Several lines. */
  readonly isLong?: boolean;
}

/** One text in both languages, side by side. */
export function TextPair({ label, value, onChange, maxLength, isLong = false }: TextPairProps) {
  const { languages } = useStatus();
  const Field = isLong ? TextArea : TextField;
  return (
    <div className={styles["pair"]}>
      {LANGUAGES.map((language) => (
        <Field
          key={language}
          label={label(languages[language])}
          value={value[language]}
          maxLength={maxLength}
          onChange={(text) => onChange({ ...value, [language]: text })}
        />
      ))}
    </div>
  );
}

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly onChange: (value: string) => void;
}

function TextArea({ label, value, maxLength, onChange }: TextAreaProps) {
  const id = useId();
  return (
    <label className={controls["field"]} htmlFor={id}>
      <span>{label}</span>
      <textarea
        id={id}
        className={styles["area"]}
        rows={4}
        value={value}
        maxLength={maxLength}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
