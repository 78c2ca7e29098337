import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CreatedKey } from "../../../../server/contract/access.ts";
import type { KeyKind, Scope } from "../../../../server/contract/route.ts";
import { toPath } from "../../api/paths.ts";
import { keysQuery } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import { Choice } from "../../components/choice.tsx";
import controls from "../../components/controls.module.css";
import { Form, Refusal } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import { TextField } from "../../components/text-field.tsx";
import styles from "./settings-page.module.css";

const KINDS: readonly KeyKind[] = ["ingest", "read", "admin"];
/** What each kind may be narrowed to; a kind of one scope is as narrow as can be. */
const SCOPES_OF: Readonly<Record<KeyKind, readonly Scope[]>> = {
  ingest: ["events", "jobs", "work"],
  read: ["jobs", "figures", "attempts"],
  admin: ["events", "jobs", "work", "figures", "attempts", "manage", "access"],
};
const EXPIRIES = ["never", "30", "90", "365"] as const;
type Expiry = (typeof EXPIRIES)[number];

export function NewKeyPanel({ onMade }: { onMade: (key: CreatedKey) => void }) {
  const { settings } = useMessages();
  const words = settings.keys;
  const { project } = useView();
  const keys = useQuery(keysQuery(project.slug));
  return (
    <Panel title={words.create} note={words.createNote} state={keys} skeleton="low">
      {() => <NewKeyForm onMade={onMade} />}
    </Panel>
  );
}

function NewKeyForm({ onMade }: { onMade: (key: CreatedKey) => void }) {
  const { settings, sources } = useMessages();
  const words = settings.keys;
  const { project } = useView();
  const [kind, setKind] = useState<KeyKind>("ingest");
  const [name, setName] = useState("");
  const [expiry, setExpiry] = useState<Expiry>("never");
  const [limit, setLimit] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const create = useChange<CreatedKey>((made) => {
    onMade(made);
    setName("");
  });
  const submit = () =>
    create.mutate({
      method: "POST",
      path: toPath("/api/keys", { project: project.slug }),
      body: {
        kind,
        name,
        ...(scopes.length === 0 ? {} : { scopes }),
        ...(expiry === "never" ? {} : { expiresInDays: Number(expiry) }),
        ...(limit === "" || kind === "read" ? {} : { eventsPerMinute: Number(limit) }),
      },
    });
  return (
    <>
      <Form onSubmit={submit}>
        <TextField label={words.name} value={name} onChange={setName} required maxLength={100} />
        <Choice
          label={words.kind}
          value={kind}
          options={KINDS.map((value) => [value, words.kinds[value]])}
          onChange={(value) => {
            setKind(value as KeyKind);
            setScopes([]);
          }}
        />
        <Choice
          label={words.expires}
          value={expiry}
          options={EXPIRIES.map((value) => [value, words.expiry[value]])}
          onChange={(value) => setExpiry(value as Expiry)}
        />
        {kind !== "read" && (
          <TextField
            label={words.limit}
            hint={words.limitHint}
            type="number"
            value={limit}
            onChange={setLimit}
          />
        )}
        <button
          type="submit"
          className={controls["primary"]}
          disabled={name.trim() === "" || create.isPending}
        >
          {sources.createKey}
        </button>
      </Form>
      {SCOPES_OF[kind].length > 0 && (
        <ScopeChoice all={SCOPES_OF[kind]} chosen={scopes} onChange={setScopes} />
      )}
      <Refusal error={create.error} />
    </>
  );
}

interface ScopeChoiceProps {
  readonly all: readonly Scope[];
  /** None: all of them. */
  readonly chosen: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

function ScopeChoice({ all, chosen, onChange }: ScopeChoiceProps) {
  const words = useMessages().settings.keys;
  return (
    <fieldset className={styles["scopes"]}>
      <legend>{words.scopes}</legend>
      {all.map((scope) => (
        <label key={scope}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, scope] : chosen.filter((other) => other !== scope))
            }
          />
          {words.scope[scope]}
        </label>
      ))}
    </fieldset>
  );
}
