import type { Sql } from "../../db/connect.ts";
import type { MaintenanceInput } from "../../server/contract/alert.ts";
import type { AlertRuleInput } from "../../server/contract/alert-rule.ts";

/** A rule; name only what the test is about. */
export function anAlertRule(parts: Partial<AlertRuleInput> = {}): AlertRuleInput {
  return {
    name: "Short of room",
    isEnabled: true,
    severity: "warning",
    measure: { of: "attempts", outcomes: ["capacity"] },
    condition: { kind: "share", above: 0.1, windowMinutes: 15, minCalls: 20 },
    where: {},
    groupBy: "target",
    pendingMinutes: 0,
    remindHours: null,
    channels: null,
    ...parts,
  };
}

export function aMaintenanceWindow(parts: Partial<MaintenanceInput> = {}): MaintenanceInput {
  return {
    name: "Nightly batch",
    isEnabled: true,
    where: {},
    zone: "Europe/Berlin",
    days: ["sun"],
    at: "02:30",
    lengthMinutes: 120,
    ...parts,
  };
}

let count = 0;

/** An alert that is firing, whatever rules say. @returns its id */
export async function insertAlert(sql: Sql, { project = "default", ruleId = 999 } = {}): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into alert (project_id, rule_id, rule_name, severity, group_by, group_key, subject, count_of, outcomes,
                       k, n, value, usual, peak, since_at, fired_at, told_at, seen_at, cause, advised_order)
    select id, ${ruleId}, 'Short of room', 'warning', 'model', ${`["model","acme","${++count}"]`},
           '{"provider": "acme", "model": "acme-large"}', 'attempts', '{capacity}', 12, 80, 0.15, 0.02, 0.2,
           '2026-11-29T11:00:00Z', '2026-11-29T11:10:00Z', '2026-11-29T11:10:00Z', '2026-11-29T11:59:00Z',
           '{"code": "model", "params": {}}', '{small,large}'
      from project where slug = ${project} returning id`;
  return row?.id ?? 0;
}
