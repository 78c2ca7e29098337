import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SignInWays } from "../../../server/contract/people.ts";
import { ApiError } from "../api/api-error.ts";
import { sendJson } from "../api/client.ts";
import { signInWaysQuery } from "../api/queries.ts";
import controls from "../components/controls.module.css";
import { Mark } from "../components/icons.tsx";
import { Loading } from "../components/notice.tsx";
import { TextField } from "../components/text-field.tsx";
import { useMessages } from "./preferences.tsx";
import styles from "./sign-in-page.module.css";

const NO_WAYS: SignInWays = { password: false, oidc: null };

/**
 * Ways in: by link alone while nobody has a password and there is no provider of identities.
 *
 * @param outcome of a link or a way back that led here, as the server names it
 */
export function SignInPage({ outcome }: { outcome: string | null }) {
  const { signIn, settings } = useMessages();
  const ways = useQuery(signInWaysQuery());
  if (ways.isPending) return <Loading isPage />;
  const { password, oidc } = ways.data ?? NO_WAYS;
  const hasFailed = outcome === "failed";
  const refused = settings.signIn.refused;
  const refusal = outcome !== null && outcome in refused ? refused[outcome as keyof typeof refused] : null;
  const hasOthers = password || oidc !== null;
  return (
    <main className={styles["page"]}>
      <Brand />
      <h1>{hasFailed ? signIn.failedTitle : hasOthers ? settings.signIn.title : signIn.title}</h1>
      {hasFailed && <p role="alert">{signIn.failed}</p>}
      {refusal !== null && <p role="alert">{refusal}</p>}
      {oidc !== null && (
        <a className={controls["primary"]} href="/sign-in/oidc">
          {settings.signIn.with(oidc)}
        </a>
      )}
      {password && <PasswordForm />}
      {hasOthers && <h2>{settings.signIn.or}</h2>}
      <p>{signIn.how}</p>
      <pre>
        <code>{signIn.command}</code>
      </pre>
      <button
        type="button"
        className={hasOthers ? controls["button"] : controls["primary"]}
        onClick={() => location.assign("/")}
      >
        {hasFailed ? signIn.toStart : signIn.again}
      </button>
      <p>
        <a href="/errors">{signIn.nameError}</a>
      </p>
    </main>
  );
}

function Brand() {
  const { product } = useMessages();
  return (
    <p className={styles["brand"]}>
      <Mark /> {product}
    </p>
  );
}

function PasswordForm() {
  const { signIn: words } = useMessages().settings;
  const { sample } = useMessages();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    mutationFn: () => sendJson<void>("POST", "/api/sign-in", { email, password }),
    // The page that was asked for, with what is behind its address.
    onSuccess: () => location.reload(),
  });
  const describe = (error: Error) => {
    if (!(error instanceof ApiError)) return sample.failed(error.message);
    if (error.code === "wrong_credentials") return words.wrong;
    return error.code === "too_many_attempts" ? words.tooMany(15) : sample.failed(error.message);
  };
  return (
    <form
      className={styles["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate();
      }}
    >
      <TextField
        label={words.email}
        type="email"
        value={email}
        onChange={setEmail}
        required
        autoComplete="username"
      />
      <TextField
        label={words.password}
        type="password"
        value={password}
        onChange={setPassword}
        required
        autoComplete="current-password"
      />
      <button type="submit" className={controls["primary"]} disabled={signIn.isPending}>
        {words.submit}
      </button>
      {signIn.isError && <p role="alert">{describe(signIn.error)}</p>}
    </form>
  );
}
