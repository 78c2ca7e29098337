import { type Classification, EXPLANATIONS, findReason, type Rule } from "@busyhour/sdk";
import type { ReactNode } from "react";
import { useMessages, usePreferences } from "../../app/preferences.tsx";
import styles from "./errors-page.module.css";
import { formatWait } from "./format-wait.ts";

export interface VerdictProps {
  /** That of its line, if it had one. */
  readonly id: unknown;
  readonly verdict: Classification;
  readonly own: readonly Rule[];
}

/** What a failure is, why, what to do now, and all else that was found out about it. */
export function Verdict({ id, verdict, own }: VerdictProps) {
  const { language } = usePreferences();
  const { errors, outcomes } = useMessages();
  const { outcome, severity, scope, switchHelps, providerCode, status, retryAfterMs } = verdict;
  const { why, doNow } = EXPLANATIONS[language][outcome];
  const { facts } = errors;
  const isFailure = severity !== "none";
  const wait = retryAfterMs === null ? null : formatWait(retryAfterMs, language);
  return (
    <article className={styles["verdict"]} style={{ borderColor: `var(--outcome-${outcome})` }}>
      <h2>
        <span className={styles["swatch"]} style={{ background: `var(--outcome-${outcome})` }} />
        {outcomes[outcome]}
        <code>{outcome}</code>
        {id !== null && <span className={styles["id"]}>{writeId(id)}</span>}
      </h2>
      <p>{why}</p>
      {isFailure && (
        <p className={styles["now"]}>
          <strong>{errors.now}</strong> {doNow}
        </p>
      )}
      <dl className={styles["facts"]}>
        <Fact name={facts.severity}>{errors.severity[severity]}</Fact>
        <Fact name={facts.again}>{tellAgain()}</Fact>
        {isFailure && <Fact name={facts.wait}>{wait ?? errors.noWait}</Fact>}
        {isFailure && <Fact name={facts.scope}>{errors.scope[scope]}</Fact>}
        {isFailure && (
          <Fact name={facts.switching}>{switchHelps ? errors.switching.yes : errors.switching.no}</Fact>
        )}
        {status !== null && <Fact name={facts.status}>{status}</Fact>}
        {providerCode !== null && (
          <Fact name={facts.code}>
            <code>{providerCode}</code>
          </Fact>
        )}
        <Fact name={facts.rule}>
          <RuleName id={verdict.rule} own={own} />
        </Fact>
      </dl>
    </article>
  );

  function tellAgain(): string {
    if (!isFailure) return errors.again.needless;
    if (!verdict.retryable) return errors.again.no;
    return wait === null ? errors.again.yes : errors.again.after;
  }
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The rule that decided, with its reason: a project's own in its own words, others in English. */
function RuleName({ id, own }: { id: string; own: readonly Rule[] }) {
  const { errors } = useMessages();
  const rule = own.find((one) => one.id === id);
  const reason = findReason(id);
  if (rule !== undefined) {
    return (
      <>
        <code>{id}</code> ({errors.ownRule}) <span className={styles["reason"]}>{rule.because}</span>
      </>
    );
  }
  return (
    <>
      <code>{id}</code>
      {reason !== null && (
        <span className={styles["reason"]} lang="en">
          {reason}
        </span>
      )}
    </>
  );
}

const writeId = (id: unknown) => (typeof id === "string" ? id : JSON.stringify(id));
