import type { ISql, Sql } from "../../db/connect.ts";
import type { AlertRuleInput, Severity } from "../contract/alert-rule.ts";
import type { StoredGroups } from "./memory.ts";
import type { Maintenance, Silence } from "./mute.ts";
import type { Subject } from "./subject.ts";

export interface JudgedProject {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly timeZone: string;
}

/** Projects that have a rule, or an alert that one left behind. */
export async function listJudgedProjects(sql: Sql): Promise<JudgedProject[]> {
  return sql<JudgedProject[]>`
    select id, slug, name, time_zone as "timeZone" from project p
     where exists (select from alert_rule r where r.project_id = p.id)
        or exists (select from alert a where a.project_id = p.id and a.ended_at is null)
     order by id`;
}

export interface Run {
  /** Slots before it are closed; `null`: no run yet. */
  readonly closedToMs: number;
  readonly revision: number;
}

/**
 * The project's run, held until the transaction ends.
 *
 * @returns `null`: another server is at it. A project without a run gets one that closed nothing.
 */
export async function lockRun(tx: ISql, projectId: number, closedToMs: number): Promise<Run | null> {
  await tx`
    insert into alert_run (project_id, closed_to, revision, pending)
    values (${projectId}, ${new Date(closedToMs)}, 0, '[]') on conflict do nothing`;
  const [row] = await tx<{ closedTo: Date; revision: number }[]>`
    select closed_to as "closedTo", revision::float8 as revision
      from alert_run where project_id = ${projectId} for update skip locked`;
  return row === undefined ? null : { closedToMs: row.closedTo.getTime(), revision: row.revision };
}

/** A rule that holds, but not for long enough to be told. */
export interface PendingRow {
  readonly ruleId: number;
  readonly ruleName: string;
  readonly severity: Severity;
  readonly subject: Subject;
  readonly sinceMs: number;
  readonly firesMs: number;
}

export async function saveRun(
  tx: ISql,
  projectId: number,
  { closedToMs, revision }: Run,
  pending: readonly PendingRow[],
): Promise<void> {
  await tx`
    update alert_run set closed_to = ${new Date(closedToMs)}, revision = ${revision},
           pending = ${tx.json(pending as never)}
     where project_id = ${projectId}`;
}

export interface RuleRow {
  readonly id: number;
  readonly rule: AlertRuleInput;
}

/** The project's rules, none of which is removed before the transaction ends. */
export async function lockRules(sql: ISql, projectId: number): Promise<RuleRow[]> {
  return sql<
    RuleRow[]
  >`select id, rule from alert_rule where project_id = ${projectId} order by id for key share`;
}

export interface StateRow {
  readonly ruleId: number;
  readonly madeOf: string;
  readonly closedTo: Date;
  readonly groups: StoredGroups;
}

export async function listStates(tx: ISql, projectId: number): Promise<StateRow[]> {
  return tx<StateRow[]>`
    select rule_id as "ruleId", made_of as "madeOf", closed_to as "closedTo", groups
      from alert_state where project_id = ${projectId}`;
}

/** @param groups as JSON: it is long, and written once */
export async function saveState(
  tx: ISql,
  projectId: number,
  { ruleId, madeOf, closedTo, groups }: Omit<StateRow, "groups"> & { readonly groups: string },
): Promise<void> {
  await tx`
    insert into alert_state (project_id, rule_id, made_of, closed_to, groups)
    values (${projectId}, ${ruleId}, ${madeOf}, ${closedTo}, ${groups}::text::json)
        on conflict (project_id, rule_id) do update
       set made_of = excluded.made_of, closed_to = excluded.closed_to, groups = excluded.groups`;
}

export async function deleteOtherStates(
  tx: ISql,
  projectId: number,
  ruleIds: readonly number[],
): Promise<void> {
  await tx`
    delete from alert_state where project_id = ${projectId} and rule_id <> all(${[...ruleIds]}::int[])`;
}

export async function listActiveSilences(sql: ISql, projectId: number, now: Date): Promise<Silence[]> {
  return sql<Silence[]>`
    select id, matcher as "where", rule_id as "ruleId", extract(epoch from until_at)::float8 * 1000 as "untilMs"
      from silence where project_id = ${projectId} and until_at > ${now}`;
}

export async function listEnabledWindows(sql: ISql, projectId: number): Promise<Maintenance[]> {
  return sql<Maintenance[]>`
    select id, matcher as "where", time_zone as zone, days, starts_at as at, length_minutes as "lengthMinutes"
      from maintenance_window where project_id = ${projectId} and is_enabled`;
}
