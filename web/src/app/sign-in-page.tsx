import { Mark } from "../components/icons.tsx";
import { useMessages } from "./preferences.tsx";
import styles from "./sign-in-page.module.css";

export function SignInPage({ hasFailed }: { hasFailed: boolean }) {
  const { signIn, product } = useMessages();
  return (
    <main className={styles["page"]}>
      <p className={styles["brand"]}>
        <Mark /> {product}
      </p>
      <h1>{hasFailed ? signIn.failedTitle : signIn.title}</h1>
      {hasFailed && <p role="alert">{signIn.failed}</p>}
      <p>{signIn.how}</p>
      <pre>
        <code>{signIn.command}</code>
      </pre>
      <button type="button" onClick={() => location.assign("/")}>
        {hasFailed ? signIn.toStart : signIn.again}
      </button>
      <p>
        <a href="/errors">{signIn.nameError}</a>
      </p>
    </main>
  );
}
