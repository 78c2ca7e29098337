import type { PlanTarget } from "../../../../server/contract/plan.ts";
import styles from "./routing-page.module.css";

export interface OrderChipsProps {
  readonly ids: readonly string[];
  /** Their models and tiers, where they are known. */
  readonly targets?: readonly PlanTarget[];
}

/** Targets in the order in which they are asked. */
export function OrderChips({ ids, targets = [] }: OrderChipsProps) {
  return (
    <ol className={styles["order"]}>
      {ids.map((id) => {
        const target = targets.find((one) => one.id === id);
        return (
          <li key={id}>
            <span className={styles["chip"]}>
              {id}
              {target !== undefined && target.model !== id && <small>{target.model}</small>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
