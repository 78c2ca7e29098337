import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Me } from "../../../../server/contract/access.ts";
import { meQuery } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { Form, Refusal } from "../../components/form.tsx";
import layout from "../../components/page.module.css";
import { Panel } from "../../components/panel.tsx";
import { TextField } from "../../components/text-field.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import styles from "./settings-page.module.css";

type Myself = NonNullable<Me["person"]>;

export function AccountPanels() {
  const { settings } = useMessages();
  const { project } = useView();
  const me = useQuery(meQuery(project.slug));
  const { account, roles } = settings;
  return (
    <>
      <Panel title={account.title} note={account.note(roles[project.role])} state={me} skeleton="low">
        {({ person }) =>
          person === null ? (
            <p className={layout["soft"]}>{account.token}</p>
          ) : (
            <NameForm key={`${person.name} ${person.email}`} person={person} />
          )
        }
      </Panel>
      {me.data?.person != null && (
        <>
          <Panel title={account.password} note={account.passwordNote} state={me} skeleton="low">
            {({ person }) => person && <PasswordForm person={person} />}
          </Panel>
          <SessionsPanel whose="mine" />
        </>
      )}
    </>
  );
}

function NameForm({ person }: { person: Myself }) {
  const { settings } = useMessages();
  const { account } = settings;
  const [name, setName] = useState(person.name);
  const [email, setEmail] = useState(person.email ?? "");
  const save = useChange();
  const isSame = name.trim() === person.name && email.trim() === (person.email ?? "");
  return (
    <>
      <Form
        onSubmit={() =>
          save.mutate({
            method: "PATCH",
            path: "/api/me",
            body: { name, email: email.trim() === "" ? null : email },
          })
        }
      >
        <TextField
          label={account.name}
          value={name}
          onChange={setName}
          required
          maxLength={100}
          autoComplete="name"
        />
        <TextField
          label={account.email}
          hint={account.emailHint}
          type="email"
          value={email}
          onChange={setEmail}
          maxLength={254}
          autoComplete="email"
        />
        <button type="submit" className={controls["primary"]} disabled={isSame || save.isPending}>
          {settings.save}
        </button>
      </Form>
      <Refusal error={save.error} />
    </>
  );
}

function PasswordForm({ person }: { person: Myself }) {
  const { settings } = useMessages();
  const { account } = settings;
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const save = useChange(() => {
    setCurrent("");
    setNext("");
  });
  return (
    <>
      <Form
        onSubmit={() =>
          save.mutate({
            method: "PUT",
            path: "/api/me/password",
            body: { password: next, ...(person.hasPassword ? { current } : {}) },
          })
        }
      >
        {person.hasPassword && (
          <TextField
            label={account.current}
            type="password"
            value={current}
            onChange={setCurrent}
            required
            autoComplete="current-password"
          />
        )}
        <TextField
          label={account.next}
          hint={account.nextHint}
          type="password"
          value={next}
          onChange={setNext}
          required
          minLength={12}
          maxLength={200}
          autoComplete="new-password"
        />
        <button type="submit" className={controls["button"]} disabled={next === "" || save.isPending}>
          {account.set}
        </button>
      </Form>
      <p role="status" className={styles["good"]}>
        {save.isSuccess ? account.isSet : ""}
      </p>
      <Refusal error={save.error} />
    </>
  );
}
