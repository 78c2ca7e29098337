import { type HTMLInputTypeAttribute, useId } from "react";
import controls from "./controls.module.css";

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
        <span id={help} className={controls["hint"]}>
          {hint}
        </span>
      )}
    </label>
  );
}
