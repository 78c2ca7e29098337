import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { QueueSettings } from "../../../../server/contract/queue.ts";
import { toPath } from "../../api/paths.ts";
import { queueSettingsQuery } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import { Choice } from "../../components/choice.tsx";
import controls from "../../components/controls.module.css";
import { Form, Refusal } from "../../components/form.tsx";
import layout from "../../components/page.module.css";
import { Panel } from "../../components/panel.tsx";
import { TextField } from "../../components/text-field.tsx";
import { queueSettingsEn } from "../../messages/queue-settings-en.ts";
import { queueSettingsZh } from "../../messages/queue-settings-zh.ts";

const NUMBERS = ["payloadHours", "keptDays", "deadKeptDays"] as const;

const useWords = () => (usePreferences().language === "zh" ? queueSettingsZh : queueSettingsEn);

/** Whether payloads are stored, and how long things are kept: for administrators. */
export function QueueSettingsPanel() {
  const words = useWords();
  const { project } = useView();
  const state = useQuery(queueSettingsQuery(project.slug));
  return (
    <Panel title={words.title} note={words.note} state={state} skeleton="low">
      {(data) => <SettingsForm key={`${project.slug} ${JSON.stringify(data)}`} settings={data} />}
    </Panel>
  );
}

function SettingsForm({ settings: before }: { settings: QueueSettings }) {
  const words = useWords();
  const { project } = useView();
  const [draft, setDraft] = useState({
    storesPayloads: before.storesPayloads,
    payloadHours: String(before.payloadHours),
    keptDays: String(before.keptDays),
    deadKeptDays: String(before.deadKeptDays),
  });
  const send = useChange();
  const isSame =
    draft.storesPayloads === before.storesPayloads &&
    NUMBERS.every((name) => Number(draft[name]) === before[name]);
  const isOff = before.storesPayloads && !draft.storesPayloads;
  return (
    <>
      <Form
        onSubmit={() =>
          send.mutate({
            method: "PUT",
            path: toPath("/api/queues/settings", { project: project.slug }),
            body: {
              storesPayloads: draft.storesPayloads,
              ...Object.fromEntries(NUMBERS.map((name) => [name, Number(draft[name])])),
            },
          })
        }
      >
        <Choice
          label={words.storesPayloads}
          value={draft.storesPayloads ? "on" : "off"}
          options={[
            ["off", words.stores.off],
            ["on", words.stores.on],
          ]}
          onChange={(value) => setDraft({ ...draft, storesPayloads: value === "on" })}
        />
        {NUMBERS.map((name) => (
          <TextField
            key={name}
            label={words[name]}
            type="number"
            value={draft[name]}
            onChange={(value) => setDraft({ ...draft, [name]: value })}
            required
          />
        ))}
        <button type="submit" className={controls["primary"]} disabled={isSame || send.isPending}>
          {words.save}
        </button>
      </Form>
      <p className={layout["soft"]}>{isOff ? words.offHint : words.storesHint}</p>
      <Refusal error={send.error} />
    </>
  );
}
