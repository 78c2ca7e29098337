import { Link } from "wouter";
import { useScope } from "../../app/use-scope.ts";
import { useIsAdmin } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { CopyButton } from "../../components/copy-button.tsx";
import styles from "./queue.module.css";
import { writeLease, writeSubmission } from "./snippets.ts";
import { useQueueWords } from "./use-queue-words.ts";

/** For a project that never had a job: what to do next. */
export function FirstJob() {
  const { first } = useQueueWords();
  const isAdmin = useIsAdmin();
  const { link } = useScope();
  const parts = { origin: location.origin };
  return (
    <section className={styles["first"]} aria-labelledby="first-job">
      <h2 id="first-job">{first.title}</h2>
      <p>{first.text}</p>
      <p>{first.key}</p>
      <Snippet text={writeSubmission(parts)} label={first.title} />
      <p>{first.take}</p>
      <Snippet text={writeLease(parts)} label={first.take} />
      {isAdmin && (
        <Link href={link("/settings/keys")} className={controls["primary"]}>
          {first.toKeys}
        </Link>
      )}
    </section>
  );
}

function Snippet({ text, label }: { text: string; label: string }) {
  const { first } = useQueueWords();
  return (
    <div className={styles["snippet"]}>
      {/* biome-ignore lint/a11y: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton className={controls["button"]} text={() => text} done={first.copied}>
        {first.copy}
      </CopyButton>
    </div>
  );
}
