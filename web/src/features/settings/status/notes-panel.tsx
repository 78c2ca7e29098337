import { useState } from "react";
import type {
  LocalText,
  NoteRecord,
  NoteState,
  StatusComponentRecord,
} from "../../../../../server/contract/status.ts";
import { toPath } from "../../../api/paths.ts";
import { useChange } from "../../../api/use-change.ts";
import { useMessages } from "../../../app/preferences.tsx";
import { useView } from "../../../app/view.tsx";
import { Choice } from "../../../components/choice.tsx";
import controls from "../../../components/controls.module.css";
import { Dialog } from "../../../components/dialog.tsx";
import { Refusal } from "../../../components/form.tsx";
import layout from "../../../components/page.module.css";
import { type Loadable, Panel } from "../../../components/panel.tsx";
import { INCIDENT_STATES, MAINTENANCE_STATES, nameOf } from "./draft.ts";
import styles from "./status.module.css";
import { TextPair } from "./text-pair.tsx";
import { useStatus } from "./use-status.ts";

type Update = NoteRecord["updates"][number];
type Asked =
  | { readonly what: "update" | "remove"; readonly note: NoteRecord }
  | { readonly what: "reword"; readonly note: NoteRecord; readonly update: Update };

export interface NotesPanelProps {
  readonly state: Loadable<{ readonly notes: readonly NoteRecord[] }>;
  readonly components: readonly StatusComponentRecord[];
}

/** What was written, with what one may do about it. */
export function NotesPanel({ state, components }: NotesPanelProps) {
  const { notes: words } = useStatus();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <Panel
        title={words.title}
        note={words.note}
        state={state}
        isEmpty={({ notes }) => notes.length === 0}
        empty={words.empty}
        skeleton="middle"
      >
        {({ notes }) => (
          <ol className={styles["notes"]}>
            {notes.map((note) => (
              <NoteItem key={note.id} note={note} components={components} onAsk={setAsked} />
            ))}
          </ol>
        )}
      </Panel>
      {asked?.what === "update" && <UpdateDialog note={asked.note} onClose={close} />}
      {asked?.what === "reword" && <RewordDialog {...asked} onClose={close} />}
      {asked?.what === "remove" && <RemoveDialog note={asked.note} onClose={close} />}
    </>
  );
}

const isOver = (state: NoteState) => state === "resolved" || state === "completed";

interface NoteItemProps {
  readonly note: NoteRecord;
  readonly components: readonly StatusComponentRecord[];
  readonly onAsk: (asked: Asked) => void;
}

function NoteItem({ note, components, onAsk }: NoteItemProps) {
  const { notes: words } = useStatus();
  const { formats } = useView();
  const title = nameOf(note.title, note.id);
  const touched = components
    .filter(({ id }) => note.components.includes(id))
    .map(({ id, name }) => nameOf(name, id));
  const when = [note.startsAt, note.endsAt].flatMap((time) =>
    time === null ? [] : [formats.dateTime(Date.parse(time))],
  );
  return (
    <li data-open={!isOver(note.state) || undefined}>
      <h3>{title}</h3>
      <p className={layout["soft"]}>
        {[words.kinds[note.kind], words.states[note.state], when.join(" – "), ...touched].join(" · ")}
      </p>
      <div className={styles["buttons"]}>
        <button
          type="button"
          className={controls["button"]}
          aria-label={words.updateOf(title)}
          onClick={() => onAsk({ what: "update", note })}
        >
          {words.update}
        </button>
        <button
          type="button"
          className={controls["danger"]}
          aria-label={words.removeOf(title)}
          onClick={() => onAsk({ what: "remove", note })}
        >
          {words.remove}
        </button>
      </div>
      <ol className={styles["updates"]}>
        {note.updates.map((update) => (
          <li key={update.id}>
            <div className={styles["step"]}>
              <b>{words.states[update.state]}</b>
              <time dateTime={update.at}>{formats.dateTime(Date.parse(update.at))}</time>
              <button
                type="button"
                className={controls["quiet"]}
                aria-label={words.rewordOf(words.states[update.state])}
                onClick={() => onAsk({ what: "reword", note, update })}
              >
                {words.reword}
              </button>
            </div>
            {[update.body.en, update.body.zh].map((text, i) =>
              text === "" ? null : (
                <p key={i === 0 ? "en" : "zh"} lang={i === 0 ? "en" : "zh-CN"}>
                  {text}
                </p>
              ),
            )}
          </li>
        ))}
      </ol>
    </li>
  );
}

interface NoteDialogProps {
  readonly note: NoteRecord;
  readonly onClose: () => void;
}

const EMPTY: LocalText = { en: "", zh: "" };

function UpdateDialog({ note, onClose }: NoteDialogProps) {
  const { settings } = useMessages();
  const { notes: words } = useStatus();
  const { project } = useView();
  const states: readonly NoteState[] = note.kind === "incident" ? INCIDENT_STATES : MAINTENANCE_STATES;
  const [state, setState] = useState<NoteState>(note.state);
  const [body, setBody] = useState(EMPTY);
  const add = useChange(onClose);
  return (
    <Dialog title={words.updateOf(nameOf(note.title, note.id))} closeText={settings.cancel} onClose={onClose}>
      <Choice
        label={words.state}
        value={state}
        options={states.map((one) => [one, words.states[one]])}
        onChange={(value) => setState(value as NoteState)}
      />
      <TextPair label={words.body} value={body} onChange={setBody} maxLength={4_000} isLong />
      <Refusal error={add.error} />
      <button
        type="button"
        className={controls["primary"]}
        disabled={add.isPending}
        onClick={() =>
          add.mutate({
            method: "POST",
            path: toPath(`/api/status-notes/${note.id}/updates`, { project: project.slug }),
            body: { state, body },
          })
        }
      >
        {words.publish}
      </button>
    </Dialog>
  );
}

function RewordDialog({ note, update, onClose }: NoteDialogProps & { update: Update }) {
  const { settings } = useMessages();
  const { notes: words } = useStatus();
  const { project } = useView();
  const [body, setBody] = useState(update.body);
  const reword = useChange(onClose);
  return (
    <Dialog title={words.rewordOf(words.states[update.state])} closeText={settings.cancel} onClose={onClose}>
      <TextPair label={words.body} value={body} onChange={setBody} maxLength={4_000} isLong />
      <Refusal error={reword.error} />
      <button
        type="button"
        className={controls["primary"]}
        disabled={reword.isPending}
        onClick={() =>
          reword.mutate({
            method: "PATCH",
            path: toPath(`/api/status-notes/${note.id}/updates/${update.id}`, { project: project.slug }),
            body: { body },
          })
        }
      >
        {words.saveWords}
      </button>
    </Dialog>
  );
}

function RemoveDialog({ note, onClose }: NoteDialogProps) {
  const { settings } = useMessages();
  const { notes: words } = useStatus();
  const { project } = useView();
  const remove = useChange(onClose);
  return (
    <Dialog title={words.removeOf(nameOf(note.title, note.id))} closeText={settings.cancel} onClose={onClose}>
      <p>{words.removeText}</p>
      <Refusal error={remove.error} />
      <button
        type="button"
        className={controls["danger"]}
        disabled={remove.isPending}
        onClick={() =>
          remove.mutate({
            method: "DELETE",
            path: toPath(`/api/status-notes/${note.id}`, { project: project.slug }),
          })
        }
      >
        {words.remove}
      </button>
    </Dialog>
  );
}
