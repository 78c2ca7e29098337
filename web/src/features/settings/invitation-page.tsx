import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { OpenedInvitation } from "../../../../server/contract/people.ts";
import { ApiError } from "../../api/api-error.ts";
import { sendJson } from "../../api/client.ts";
import { signInWaysQuery } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { useMessages } from "../../app/preferences.tsx";
import controls from "../../components/controls.module.css";
import { Form, Refusal } from "../../components/form.tsx";
import { Failure, Loading, Notice } from "../../components/notice.tsx";
import layout from "../../components/page.module.css";
import { TextField } from "../../components/text-field.tsx";
import styles from "./settings-page.module.css";

/** What somebody sees who opens an invitation. Its token stands behind the # of the address, where no server sees it. */
export function InvitationPage() {
  const { invitation: words } = useMessages().settings;
  const token = location.hash.slice(1);
  const opened = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => sendJson<OpenedInvitation>("POST", "/api/invitations/open", { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (opened.data !== undefined) return <Join token={token} opened={opened.data} />;
  if (opened.error instanceof ApiError) {
    return (
      <Notice title={words.gone} text={words.goneText} isMain>
        <a href="/">{words.toStart}</a>
      </Notice>
    );
  }
  if (opened.isError) return <Failure error={opened.error} onRetry={() => opened.refetch()} />;
  return <Loading />;
}

function Join({ token, opened }: { token: string; opened: OpenedInvitation }) {
  const { invitation: words, roles, roleHints, signIn } = useMessages().settings;
  const ways = useQuery(signInWaysQuery());
  const accept = useChange<{ project: { slug: string } }>(({ project }) =>
    location.assign(`/?project=${encodeURIComponent(project.slug)}`),
  );
  const send = (person: object) =>
    accept.mutate({ method: "POST", path: "/api/invitations/accept", body: { token, ...person } });
  return (
    <div className={styles["invitation"]}>
      <h1>{words.title(opened.project)}</h1>
      <p>{words.role(roles[opened.role], roleHints[opened.role])}</p>
      {opened.signedInAs !== null ? (
        <>
          <p>{words.asSignedIn(opened.signedInAs)}</p>
          <p>
            <button
              type="button"
              className={controls["primary"]}
              disabled={accept.isPending}
              onClick={() => send({})}
            >
              {words.accept}
            </button>
          </p>
        </>
      ) : (
        <>
          {ways.data?.oidc != null && (
            <p>
              <a
                className={controls["primary"]}
                href={`/sign-in/oidc?invitation=${encodeURIComponent(token)}`}
              >
                {signIn.with(ways.data.oidc)}
              </a>
            </p>
          )}
          <NewMember isPending={accept.isPending} onSubmit={send} />
          <p className={layout["soft"]}>{words.have}</p>
        </>
      )}
      <Refusal error={accept.error} />
    </div>
  );
}

function NewMember({ isPending, onSubmit }: { isPending: boolean; onSubmit: (person: object) => void }) {
  const { invitation: words, account } = useMessages().settings;
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  return (
    <Form onSubmit={() => onSubmit({ name, email, password })}>
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
        type="email"
        value={email}
        onChange={setEmail}
        required
        maxLength={254}
        autoComplete="username"
      />
      <TextField
        label={account.password}
        hint={account.nextHint.split(".")[0] ?? ""}
        type="password"
        value={password}
        onChange={setPassword}
        required
        minLength={12}
        maxLength={200}
        autoComplete="new-password"
      />
      <button type="submit" className={controls["button"]} disabled={isPending}>
        {words.create}
      </button>
    </Form>
  );
}
