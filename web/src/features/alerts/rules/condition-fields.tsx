import type { RuleCondition } from "../../../../../server/contract/alert-rule.ts";
import { TextField } from "../../../components/text-field.tsx";
import styles from "../alerts.module.css";
import { useAlerts } from "../use-alerts.ts";

interface ConditionFieldsProps {
  readonly condition: RuleCondition;
  readonly onChange: (condition: RuleCondition) => void;
}

/** What one may set of a condition; learnt ones set themselves. */
export function ConditionFields({ condition, onChange }: ConditionFieldsProps) {
  const { editor } = useAlerts();
  const number = (label: string, value: number, take: (value: number) => RuleCondition, hint?: string) => (
    <TextField
      key={label}
      label={label}
      type="number"
      value={String(value)}
      onChange={(text) => onChange(take(Number(text)))}
      {...(hint === undefined ? {} : { hint })}
    />
  );
  const fields = [];
  if (condition.kind === "share") {
    fields.push(
      <Slider
        key="above"
        label={editor.above}
        value={Math.round(condition.above * 1_000) / 10}
        range={[0.5, 60, 0.5]}
        onChange={(percent) => onChange({ ...condition, above: percent / 100 })}
      />,
    );
  }
  if (condition.kind === "amplification") {
    fields.push(
      <Slider
        key="above"
        label={editor.ratio}
        value={condition.above}
        range={[1.1, 5, 0.1]}
        onChange={(above) => onChange({ ...condition, above })}
      />,
    );
  }
  if (condition.kind === "count")
    fields.push(number(editor.atLeast, condition.atLeast, (atLeast) => ({ ...condition, atLeast })));
  if (condition.kind === "burnRate") {
    const percent = Math.round(condition.objective * 10_000) / 100;
    fields.push(number(editor.objective, percent, (value) => ({ ...condition, objective: value / 100 })));
  }
  if (condition.kind === "silent")
    fields.push(
      number(editor.forMinutes, condition.forMinutes, (forMinutes) => ({ ...condition, forMinutes })),
    );
  if ("windowMinutes" in condition)
    fields.push(
      number(editor.window, condition.windowMinutes, (windowMinutes) => ({ ...condition, windowMinutes })),
    );
  if ("minCalls" in condition)
    fields.push(
      number(
        editor.minCalls,
        condition.minCalls,
        (minCalls) => ({ ...condition, minCalls }),
        editor.minCallsHint,
      ),
    );
  return <>{fields}</>;
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly range: readonly [min: number, max: number, step: number];
  readonly onChange: (value: number) => void;
}

/** A threshold to drag; its number can be typed as well. */
function Slider({ label, value, range: [min, max, step], onChange }: SliderProps) {
  return (
    <div className={styles["slider"]}>
      <TextField
        label={label}
        type="number"
        value={String(value)}
        onChange={(text) => onChange(Number(text))}
      />
      <input
        type="range"
        aria-label={label}
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </div>
  );
}
