import { useState } from "react";
import type {
  Impact,
  LocalText,
  StatusComponentRecord,
  StatusPageAnswer,
} from "../../../../../server/contract/status.ts";
import { toPath } from "../../../api/paths.ts";
import { useChange } from "../../../api/use-change.ts";
import { useView } from "../../../app/view.tsx";
import { Choice } from "../../../components/choice.tsx";
import controls from "../../../components/controls.module.css";
import { Refusal } from "../../../components/form.tsx";
import { type Loadable, Panel } from "../../../components/panel.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { IMPACTS, INCIDENT_STATES, nameOf } from "./draft.ts";
import styles from "./status.module.css";
import { TextPair } from "./text-pair.tsx";
import { useStatus } from "./use-status.ts";

const EMPTY: LocalText = { en: "", zh: "" };
const KINDS = ["incident", "maintenance"] as const;
type Kind = (typeof KINDS)[number];
type State = (typeof INCIDENT_STATES)[number];

export function NewNotePanel({ state }: { state: Loadable<StatusPageAnswer> }) {
  const { notes } = useStatus();
  const [made, setMade] = useState(0);
  return (
    <Panel title={notes.create} note={notes.draftHint} state={state} skeleton="middle">
      {({ components }) => (
        <NewNoteForm key={made} components={components} onMade={() => setMade(made + 1)} />
      )}
    </Panel>
  );
}

interface NewNoteFormProps {
  readonly components: readonly StatusComponentRecord[];
  readonly onMade: () => void;
}

function NewNoteForm({ components, onMade }: NewNoteFormProps) {
  const { notes: words } = useStatus();
  const { project } = useView();
  const [kind, setKind] = useState<Kind>("incident");
  const [title, setTitle] = useState(EMPTY);
  const [body, setBody] = useState(EMPTY);
  const [impact, setImpact] = useState<Impact>("minor");
  const [state, setState] = useState<State>("investigating");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const create = useChange(onMade);
  const isIncident = kind === "incident";
  const submit = () =>
    create.mutate({
      method: "POST",
      path: toPath("/api/status-notes", { project: project.slug }),
      body: {
        kind,
        title,
        body,
        components: chosen,
        ...(isIncident ? { impact, state } : { startsAt: toInstant(from), endsAt: toInstant(to) }),
      },
    });
  return (
    <form
      className={styles["fields"]}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={styles["row"]}>
        <Choice
          label={words.kind}
          value={kind}
          options={KINDS.map((one) => [one, words.kinds[one]])}
          onChange={(value) => setKind(value as Kind)}
        />
        {isIncident && (
          <Choice
            label={words.state}
            value={state}
            options={INCIDENT_STATES.map((one) => [one, words.states[one]])}
            onChange={(value) => setState(value as State)}
          />
        )}
        {isIncident && (
          <Choice
            label={words.impact}
            value={impact}
            options={IMPACTS.map((one) => [one, words.impacts[one]])}
            onChange={(value) => setImpact(value as Impact)}
          />
        )}
        {!isIncident && <Times from={from} to={to} onFrom={setFrom} onTo={setTo} />}
      </div>
      <TextPair label={words.heading} value={title} onChange={setTitle} maxLength={150} />
      <TextPair label={words.body} value={body} onChange={setBody} maxLength={4_000} isLong />
      {components.length > 0 && (
        <fieldset className={styles["checks"]}>
          <legend>{words.components}</legend>
          {components.map(({ id, name }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={(event) =>
                  setChosen(event.target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                }
              />
              {nameOf(name, id)}
            </label>
          ))}
        </fieldset>
      )}
      <div className={styles["buttons"]}>
        <button type="submit" className={controls["primary"]} disabled={create.isPending}>
          {words.publish}
        </button>
      </div>
      <Refusal error={create.error} />
    </form>
  );
}

interface TimesProps {
  readonly from: string;
  readonly to: string;
  readonly onFrom: (value: string) => void;
  readonly onTo: (value: string) => void;
}

/** The browser's own pickers, which know its zone alone: the labels say so. */
function Times({ from, to, onFrom, onTo }: TimesProps) {
  const { notes: words } = useStatus();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <TextField label={words.from(zone)} type="datetime-local" value={from} onChange={onFrom} required />
      <TextField label={words.to(zone)} type="datetime-local" value={to} onChange={onTo} required />
    </>
  );
}

/** A local time of a picker; what is none is left to the server to refuse. */
function toInstant(local: string): string {
  const ms = new Date(local).getTime();
  return Number.isNaN(ms) ? local : new Date(ms).toISOString();
}
