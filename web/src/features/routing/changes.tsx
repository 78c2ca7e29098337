import type { PlanChange } from "../../../../server/contract/plan.ts";
import styles from "./routing-page.module.css";
import { useRouting } from "./use-routing.ts";

/** What changes between two plans, one line each. */
export function Changes({ changes }: { changes: readonly PlanChange[] }) {
  const routing = useRouting();
  return (
    <ul className={styles["changes"]}>
      {changes.map(({ kind, chain, subject, before, after }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes
        <li key={at}>
          <span>{[chain, routing.change[kind], subject].filter((part) => part !== null).join(" · ")}</span>
          <p>
            {before !== null && <del>{describe(before)}</del>}
            {before !== null && " → "}
            <ins>{after === null ? routing.nothing : describe(after)}</ins>
          </p>
        </li>
      ))}
    </ul>
  );
}

/** `a → b` for orders and chains, `model: x` for fields, JSON for what nobody here knows. */
function describe(value: unknown): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(" → ");
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if ("targets" in value && Array.isArray(value.targets))
      return describe(value.targets.map(({ id }) => id));
    const fields = Object.entries(value);
    if (fields.every(([, field]) => typeof field !== "object" || field === null))
      return fields.map(([name, field]) => `${name}: ${field ?? "–"}`).join(", ");
  }
  return JSON.stringify(value);
}
