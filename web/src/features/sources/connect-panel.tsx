import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { CreatedKey } from "../../../../server/contract/access.ts";
import { sendJson } from "../../api/client.ts";
import { toPath } from "../../api/paths.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useMedia, useView } from "../../app/view.tsx";
import { Choice } from "../../components/choice.tsx";
import controls from "../../components/controls.module.css";
import { CopyButton } from "../../components/copy-button.tsx";
import { Segments } from "../../components/segments.tsx";
import styles from "./connect-panel.module.css";
import { LiveCheck } from "./live-check.tsx";
import { EXPECTED, SNIPPETS, type SnippetName, writeSnippet } from "./snippets.ts";

export interface ConnectPanelProps {
  readonly created: CreatedKey | null;
  readonly onCreated: (key: CreatedKey) => void;
}

/** From nothing to the first event in three steps. */
export function ConnectPanel({ created, onCreated }: ConnectPanelProps) {
  const { sources } = useMessages();
  return (
    <section className={styles["panel"]} aria-labelledby="connect">
      <h2 id="connect">{sources.connect}</h2>
      <ol className={styles["steps"]}>
        <Step title={sources.step1} hint={sources.step1Hint}>
          <CreateKey created={created} onCreated={onCreated} />
        </Step>
        <Step title={sources.step2} hint={created === null ? sources.keyMissing : undefined}>
          <Snippets secret={created?.key ?? null} />
        </Step>
        <Step title={sources.step3} hint={sources.waitingHint}>
          <LiveCheck />
        </Step>
      </ol>
    </section>
  );
}

function Step({ title, hint, children }: { title: string; hint?: string | undefined; children: ReactNode }) {
  return (
    <li className={styles["step"]}>
      <h3>{title}</h3>
      {hint !== undefined && <p className={styles["hint"]}>{hint}</p>}
      {children}
    </li>
  );
}

function CreateKey({ created, onCreated }: ConnectPanelProps) {
  const { sources, sample } = useMessages();
  const { project } = useView();
  const queries = useQueryClient();
  const [name, setName] = useState("my-app");
  const create = useMutation({
    mutationFn: () =>
      sendJson<CreatedKey>("POST", toPath("/api/keys", { project: project.slug }), { kind: "ingest", name }),
    onSuccess: async (key) => {
      onCreated(key);
      await queries.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  return (
    <>
      <form
        className={styles["row"]}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <label className={controls["field"]}>
          <span>{sources.keyName}</span>
          <input
            className={controls["input"]}
            value={name}
            required
            maxLength={100}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <button
          type="submit"
          className={created === null ? controls["primary"] : controls["button"]}
          disabled={create.isPending || name.trim() === ""}
        >
          {sources.createKey}
        </button>
      </form>
      {create.isError && <p role="alert">{sample.failed(create.error.message)}</p>}
      {created !== null && (
        <div className={styles["secret"]} role="status">
          <p>{sources.shownOnce}</p>
          <code>{created.key}</code>
          <CopyButton className={controls["button"]} text={() => created.key} done={sources.copied}>
            {sources.copyKey}
          </CopyButton>
        </div>
      )}
    </>
  );
}

/** Too narrow for all snippets side by side. */
const NARROW = "(max-width: 44rem)";

function Snippets({ secret }: { secret: string | null }) {
  const { sources } = useMessages();
  const [name, setName] = useState<SnippetName>("curl");
  const isNarrow = useMedia(NARROW);
  const [occurredAt] = useState(() => new Date().toISOString());
  const text = writeSnippet(name, {
    origin: location.origin,
    key: secret ?? sources.placeholderKey,
    occurredAt,
  });
  const expected = EXPECTED[name];
  const hint = (sources.snippetHints as Partial<Record<SnippetName, string>>)[name];
  return (
    <>
      <div className={styles["row"]}>
        {isNarrow ? (
          <Choice
            label={sources.snippet}
            value={name}
            options={SNIPPETS.map((value) => [value, sources.snippets[value]])}
            onChange={(value) => setName(value as SnippetName)}
          />
        ) : (
          <Segments
            label={sources.step2}
            value={name}
            options={SNIPPETS.map((value) => ({ value, text: sources.snippets[value] }))}
            onChange={setName}
          />
        )}
        <CopyButton className={controls["button"]} text={() => text} done={sources.copied}>
          {sources.copySnippet}
        </CopyButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre className={styles["snippet"]} tabIndex={0}>
        <code>{text}</code>
      </pre>
      {hint !== undefined && <p className={styles["hint"]}>{hint}</p>}
      {expected !== null && <p className={styles["hint"]}>{sources.expected(expected)}</p>}
    </>
  );
}
