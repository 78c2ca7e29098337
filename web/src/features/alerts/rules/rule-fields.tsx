import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import { useQuery } from "@tanstack/react-query";
import type {
  AlertRuleInput,
  RuleCondition,
  RuleGroup,
  RuleMeasure,
  Severity,
} from "../../../../../server/contract/alert-rule.ts";
import { channelsQuery } from "../../../api/queries.ts";
import { useMessages, usePreferences } from "../../../app/preferences.tsx";
import { useView } from "../../../app/view.tsx";
import { Choice } from "../../../components/choice.tsx";
import { TextField } from "../../../components/text-field.tsx";
import styles from "../alerts.module.css";
import { SEVERITIES } from "../severity-mark.tsx";
import { useAlerts } from "../use-alerts.ts";
import { ConditionFields } from "./condition-fields.tsx";
import { withKind, withMeasure, withWhere } from "./rule-draft.ts";

export interface RuleFieldsProps {
  readonly rule: AlertRuleInput;
  readonly onChange: (rule: AlertRuleInput) => void;
}

export function RuleFields({ rule, onChange }: RuleFieldsProps) {
  const words = useAlerts();
  const { editor } = words;
  const change = (part: Partial<AlertRuleInput>) => onChange({ ...rule, ...part });
  return (
    <div className={styles["fields"]}>
      <TextField
        label={editor.name}
        value={rule.name}
        onChange={(name) => change({ name })}
        maxLength={100}
        required
      />
      <Choice
        label={editor.severity}
        value={rule.severity}
        options={SEVERITIES.map((value) => [value, words.severities[value]])}
        onChange={(severity) => change({ severity: severity as Severity })}
      />
      <Choice
        label={editor.condition}
        value={rule.condition.kind}
        options={Object.entries(words.conditions)}
        onChange={(kind) => onChange(withKind(rule, kind as RuleCondition["kind"]))}
      />
      <ConditionFields condition={rule.condition} onChange={(condition) => change({ condition })} />
      <MeasureFields rule={rule} onChange={onChange} />
      <Choice
        label={editor.groupBy}
        value={rule.groupBy}
        options={Object.entries(words.groups)}
        onChange={(groupBy) => change({ groupBy: groupBy as RuleGroup })}
      />
      <TextField
        label={editor.pending}
        type="number"
        value={String(rule.pendingMinutes)}
        onChange={(text) => change({ pendingMinutes: Number(text) })}
      />
      <Choice
        label={editor.remind}
        value={rule.remindHours === null ? "never" : String(rule.remindHours)}
        options={listReminds(rule.remindHours, editor.reminds)}
        onChange={(text) => change({ remindHours: text === "never" ? null : Number(text) })}
      />
      <WhereFields rule={rule} onChange={onChange} />
      <ChannelFields rule={rule} onChange={onChange} />
    </div>
  );
}

function listReminds(hours: number | null, words: Readonly<Record<string, string>>): [string, string][] {
  const known = Object.entries(words).sort(([a], [b]) => (Number(a) || 0) - (Number(b) || 0));
  return hours === null || String(hours) in words ? known : [...known, [String(hours), `${hours} h`]];
}

function MeasureFields({ rule, onChange }: RuleFieldsProps) {
  const { editor } = useAlerts();
  const { outcomes: names } = useMessages();
  const { measure, condition } = rule;
  // Silence and repeats are about all events.
  if (condition.kind === "silent" || condition.kind === "amplification") return null;
  return (
    <>
      <Choice
        label={editor.of}
        value={measure.of}
        options={Object.entries(editor.ofs)}
        onChange={(of) => onChange(withMeasure(rule, of as RuleMeasure["of"]))}
      />
      {measure.of !== "degraded" && (
        <fieldset className={styles["checks"]}>
          <legend>{editor.outcomes}</legend>
          {OUTCOMES.filter((outcome) => outcome !== "ok").map((outcome: Outcome) => (
            <label key={outcome}>
              <input
                type="checkbox"
                checked={measure.outcomes.includes(outcome)}
                onChange={(event) => {
                  const outcomes = OUTCOMES.filter((other) =>
                    other === outcome ? event.target.checked : measure.outcomes.includes(other),
                  );
                  if (outcomes.length > 0) onChange({ ...rule, measure: { ...measure, outcomes } });
                }}
              />
              {names[outcome]}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

const WHERE = ["provider", "model", "endpoint", "source", "chain"] as const;

function WhereFields({ rule, onChange }: RuleFieldsProps) {
  const { editor } = useAlerts();
  return (
    <fieldset className={styles["where"]}>
      <legend>
        {editor.where} <small>{editor.whereHint}</small>
      </legend>
      {WHERE.map((part) => (
        <TextField
          key={part}
          label={editor.parts[part]}
          value={rule.where[part] ?? ""}
          onChange={(text) => onChange(withWhere(rule, part, text))}
          maxLength={200}
        />
      ))}
    </fieldset>
  );
}

function ChannelFields({ rule, onChange }: RuleFieldsProps) {
  const { editor } = useAlerts();
  const { project } = useView();
  const { language } = usePreferences();
  const channels = useQuery(channelsQuery(project.slug, language));
  const all = channels.data?.channels ?? [];
  if (all.length === 0) return null;
  const chosen = rule.channels ?? [];
  return (
    <fieldset className={styles["checks"]}>
      <legend>{editor.channels}</legend>
      <label>
        <input
          type="checkbox"
          checked={rule.channels === null}
          onChange={(event) => onChange({ ...rule, channels: event.target.checked ? null : [] })}
        />
        {editor.allChannels}
      </label>
      {rule.channels !== null &&
        all.map(({ id, name }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={(event) =>
                onChange({
                  ...rule,
                  channels: event.target.checked ? [...chosen, id] : chosen.filter((other) => other !== id),
                })
              }
            />
            {name}
          </label>
        ))}
    </fieldset>
  );
}
