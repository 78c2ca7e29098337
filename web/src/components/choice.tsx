import type { ReactNode } from "react";
import controls from "./controls.module.css";

export interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: ReactNode])[];
  readonly onChange: (value: string) => void;
}

/** One of several, by a list that opens. */
export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label className={controls["field"]}>
      <span>{label}</span>
      <select className={controls["select"]} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
