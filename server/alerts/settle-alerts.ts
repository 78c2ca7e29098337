import type { FiringAlert } from "./firing-alert.ts";
import { foldAlerts } from "./fold.ts";
import { type Muting, muteAlerts } from "./mute.ts";
import type { CalledModel } from "./slot-queries.ts";
import { sumFigures } from "./take-findings.ts";
import { type Telling, tellAlerts } from "./tell.ts";

/**
 * What becomes of alerts once they are up to what was found: muted, folded, and told.
 *
 * Changes `alerts`.
 *
 * @param called the models that were called lately; nothing is folded by them where there is nothing new
 */
export function settleAlerts(
  alerts: readonly FiringAlert[],
  mutings: readonly Muting[],
  called: readonly CalledModel[],
  nowMs: number,
): Telling[] {
  muteAlerts(alerts, mutings);
  foldAlerts(alerts, called);
  // One that stands for more than before may not be what a silence is about any more.
  muteAlerts(alerts, mutings);
  for (const alert of alerts) sumFigures(alerts, alert);
  return tellAlerts(alerts, nowMs);
}
