import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import type { Tongue } from "./describe-alert.ts";
import { useAlerts } from "./use-alerts.ts";

export function useTongue(): Tongue {
  const words = useAlerts();
  const { outcomes } = useMessages();
  const { formats } = useView();
  return { words, outcomes, formats };
}
