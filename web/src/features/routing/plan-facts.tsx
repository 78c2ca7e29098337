import type { ReactNode } from "react";
import type { PlanWithDocument } from "../../api/queries.ts";
import layout from "../../components/page.module.css";
import { ChainFacts } from "./chain-facts.tsx";
import styles from "./routing-page.module.css";

interface PlanFactsProps extends Pick<PlanWithDocument, "document"> {
  readonly children: ReactNode;
}

/** What a version says, chain by chain, and what can be done with it. */
export function PlanFacts({ document, children }: PlanFactsProps) {
  return (
    <>
      <div className={styles["chains"]}>
        {Object.entries(document.chains).map(([name, chain]) => (
          <ChainFacts key={name} name={name} chain={chain} zone={document.timeZone} />
        ))}
      </div>
      <p className={layout["soft"]}>{document.timeZone}</p>
      <div className={styles["actions"]}>{children}</div>
    </>
  );
}
