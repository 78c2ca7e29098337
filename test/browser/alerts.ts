import { aMaintenanceWindow, insertAlert } from "../support/alerts.ts";
import { send } from "./plans.ts";
import type { Dashboard } from "./support.ts";

/** The usual rules, a channel, a silence, a maintenance window and a firing alert, in the sample. */
export async function fillAlerts(dashboard: Dashboard): Promise<void> {
  const to = (path: string) => `${path}?project=sample`;
  await send(dashboard, "POST", to("/api/rules/usual"), undefined);
  await send(dashboard, "POST", to("/api/channels"), {
    address: "https://hooks.slack.com/services/T0/B0/secret",
    name: "on call",
  });
  await send(dashboard, "POST", to("/api/maintenance-windows"), aMaintenanceWindow());
  await send(dashboard, "POST", to("/api/silences"), {
    where: { model: "gpt-5" },
    until: new Date(dashboard.now() + 3_600_000).toISOString(),
    reason: "We know of it",
  });
  await insertAlert(dashboard.server.core.jobSql, { project: "sample" });
}
