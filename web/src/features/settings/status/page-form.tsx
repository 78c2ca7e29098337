import { useRef, useState } from "react";
import type { StatusPageAnswer } from "../../../../../server/contract/status.ts";
import { toPath } from "../../../api/paths.ts";
import { useChange } from "../../../api/use-change.ts";
import { usePreferences } from "../../../app/preferences.tsx";
import { useView } from "../../../app/view.tsx";
import controls from "../../../components/controls.module.css";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Refusal } from "../../../components/form.tsx";
import layout from "../../../components/page.module.css";
import { TextField } from "../../../components/text-field.tsx";
import { ComponentList } from "./component-list.tsx";
import { addSuggestions, type Draft, newComponent, toBody, toDraft } from "./draft.ts";
import styles from "./status.module.css";
import { TextPair } from "./text-pair.tsx";
import { useStatus } from "./use-status.ts";

/** Whether it is public, and the ways to it. */
export function PageState({ answer }: { answer: StatusPageAnswer }) {
  const words = useStatus().page;
  const { language, messages } = usePreferences();
  const { project } = useView();
  const { url, isPublic, isSaved } = answer.page;
  const preview = toPath("/api/status-page/preview", { project: project.slug, lang: language });
  return (
    <div className={styles["state"]}>
      <p role="status">{isPublic ? words.isPublic : isSaved ? words.isOff : words.isUnsaved}</p>
      {isPublic ? (
        <>
          <a className={controls["button"]} href={url} target="_blank" rel="noreferrer">
            {words.open}
          </a>
          <CopyButton className={controls["quiet"]} text={() => url} done={messages.settings.copied}>
            {words.copy}
          </CopyButton>
          <a className={controls["quiet"]} href={`${url}/badge.svg`} target="_blank" rel="noreferrer">
            {words.badge}
          </a>
        </>
      ) : (
        isSaved && (
          <a className={controls["button"]} href={preview} target="_blank" rel="noreferrer">
            {words.preview}
          </a>
        )
      )}
    </div>
  );
}

/** Everything that an admin sets of the page, saved as a whole. */
export function PageForm({ answer }: { answer: StatusPageAnswer }) {
  const words = useStatus();
  const { project } = useView();
  const [draft, setDraft] = useState<Draft>(() => toDraft(answer));
  const keys = useRef(0);
  const nextKey = () => `new ${++keys.current}`;
  const save = useChange();
  const change = (parts: Partial<Draft>) => setDraft({ ...draft, ...parts });
  const fresh =
    addSuggestions(draft, answer.suggestions, () => "").components.length - draft.components.length;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({
          method: "PUT",
          path: toPath("/api/status-page", { project: project.slug }),
          body: toBody(draft),
        });
      }}
    >
      <PageFields draft={draft} onChange={change} />
      <div className={styles["part"]}>
        <h3 className="hidden">{words.components.title}</h3>
        <p className={layout["soft"]}>{words.components.note}</p>
      </div>
      {draft.components.length === 0 && <p>{words.components.empty}</p>}
      <ComponentList components={draft.components} onChange={(components) => change({ components })} />
      <div className={styles["buttons"]}>
        {fresh > 0 && (
          <button
            type="button"
            className={controls["button"]}
            title={words.components.suggestHint}
            onClick={() => setDraft(addSuggestions(draft, answer.suggestions, nextKey))}
          >
            {words.components.suggest(fresh)}
          </button>
        )}
        <button
          type="button"
          className={controls["button"]}
          onClick={() => change({ components: [...draft.components, newComponent(nextKey())] })}
        >
          {words.components.add}
        </button>
        <button type="submit" className={controls["primary"]} disabled={save.isPending}>
          {words.page.save}
        </button>
      </div>
      <Refusal error={save.error} />
    </form>
  );
}

function PageFields({ draft, onChange }: { draft: Draft; onChange: (parts: Partial<Draft>) => void }) {
  const words = useStatus().page;
  const switches = [
    ["isPublic", words.switch],
    ["isIndexed", words.indexed],
    ["showsVolumes", words.volumes],
  ] as const;
  return (
    <div className={styles["fields"]}>
      <fieldset className={styles["switches"]}>
        <legend className="hidden">{words.switches}</legend>
        {switches.map(([name, text]) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={draft[name]}
              onChange={(event) => onChange({ [name]: event.target.checked })}
            />
            {text}
          </label>
        ))}
      </fieldset>
      <div className={styles["row"]}>
        <TextField
          label={words.slug}
          hint={words.slugHint}
          value={draft.slug}
          onChange={(slug) => onChange({ slug })}
          required
          maxLength={40}
          pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
        />
        <TextField
          label={words.homeUrl}
          hint={words.homeUrlHint}
          type="url"
          value={draft.homeUrl}
          onChange={(homeUrl) => onChange({ homeUrl })}
          maxLength={300}
        />
      </div>
      <TextPair
        label={words.name}
        value={draft.name}
        onChange={(name) => onChange({ name })}
        maxLength={80}
      />
      <TextPair
        label={words.about}
        value={draft.about}
        onChange={(about) => onChange({ about })}
        maxLength={600}
      />
    </div>
  );
}
