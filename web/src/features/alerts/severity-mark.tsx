import type { Severity } from "../../../../server/contract/alert-rule.ts";
import { StateIcon } from "../../components/icons.tsx";
import styles from "./alerts.module.css";
import { useAlerts } from "./use-alerts.ts";

export const SEVERITIES: readonly Severity[] = ["critical", "warning", "info"];

const ICONS = { critical: "short", warning: "tight", info: "room" } as const;

/** The word and a shape of its own: never by colour alone. */
export function SeverityMark({ severity }: { severity: Severity }) {
  const { severities } = useAlerts();
  return (
    <span className={styles["severity"]} data-severity={severity}>
      <StateIcon state={ICONS[severity]} />
      {severities[severity]}
    </span>
  );
}
