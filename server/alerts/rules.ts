import { and, eq, isNull } from "drizzle-orm";
import type { Db, DbLike } from "../../db/drizzle.ts";
import { alert, alertRule } from "../../db/schema/index.ts";
import { diff, noteChange, type Occasion } from "../audit/note-change.ts";
import type { AlertRule, AlertRuleChange, AlertRules } from "../contract/alert.ts";
import type { AlertRuleInput } from "../contract/alert-rule.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { changedMeanwhile, noSuchRule } from "./alert-errors.ts";
import { USUAL_RULES } from "./usual-rules.ts";

type Row = typeof alertRule.$inferSelect;

/** The project's rules by name, and which of the usual ones it has. */
export async function listRules(db: DbLike, projectId: number): Promise<AlertRules> {
  const [rows, firing] = await Promise.all([
    db.select().from(alertRule).where(eq(alertRule.projectId, projectId)),
    countFiring(db, projectId),
  ]);
  return {
    rules: rows
      .map((row) => toRule(row, firing.get(row.id) ?? 0))
      .sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id),
    usual: USUAL_RULES.map(({ preset, rule }) => ({
      preset,
      rule,
      id: rows.find((row) => row.preset === preset)?.id ?? null,
    })),
  };
}

async function countFiring(db: DbLike, projectId: number): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .select({ ruleId: alert.ruleId })
    .from(alert)
    .where(and(eq(alert.projectId, projectId), isNull(alert.endedAt)));
  const counts = new Map<number, number>();
  for (const { ruleId } of rows) counts.set(ruleId, (counts.get(ruleId) ?? 0) + 1);
  return counts;
}

function toRule({ rule, id, preset, version, createdAt, changedAt }: Row, firing: number): AlertRule {
  return {
    ...inputOf(rule),
    id,
    preset,
    version,
    firing,
    createdAt: createdAt.toISOString(),
    changedAt: changedAt.toISOString(),
  };
}

/** What was stored went through the contract. */
const inputOf = (rule: Row["rule"]): AlertRuleInput => rule as unknown as AlertRuleInput;

export function createRule(
  db: Db,
  owner: ProjectRow,
  rule: AlertRuleInput,
  occasion: Occasion,
): Promise<AlertRule> {
  return db.transaction(async (tx) => toRule(await insertRule(tx, owner, rule, null, occasion), 0));
}

async function insertRule(
  tx: DbLike,
  owner: ProjectRow,
  rule: AlertRuleInput,
  preset: string | null,
  occasion: Occasion,
): Promise<Row> {
  const { at } = occasion;
  const [row] = await tx
    .insert(alertRule)
    .values({ projectId: owner.id, preset, rule: { ...rule }, createdAt: at, changedAt: at })
    .returning();
  if (row === undefined) throw new Error("the new rule was not returned");
  await noteChange(tx, occasion, {
    action: "rule.created",
    project: owner,
    subject: { id: row.id, name: rule.name },
    after: { ...rule },
  });
  return row;
}

/**
 * Changes a rule.
 *
 * @throws AppError 404; 409 when somebody else changed it since
 */
export function changeRule(
  db: Db,
  owner: ProjectRow,
  id: number,
  { version, ...rule }: AlertRuleChange,
  occasion: Occasion,
): Promise<AlertRule> {
  return db.transaction(async (tx) => {
    const row = await lockRule(tx, owner.id, id);
    if (row.version !== version) throw changedMeanwhile("rule", version, row.version);
    const changed = await updateRule(tx, owner, row, rule, occasion);
    return toRule(changed, (await countFiring(tx, owner.id)).get(id) ?? 0);
  });
}

async function updateRule(
  tx: DbLike,
  owner: ProjectRow,
  row: Row,
  rule: AlertRuleInput,
  occasion: Occasion,
): Promise<Row> {
  const [changed] = await tx
    .update(alertRule)
    .set({ rule: { ...rule }, version: row.version + 1, changedAt: occasion.at })
    .where(and(eq(alertRule.projectId, owner.id), eq(alertRule.id, row.id)))
    .returning();
  if (changed === undefined) throw noSuchRule();
  await noteChange(tx, occasion, {
    action: "rule.changed",
    project: owner,
    subject: { id: row.id, name: rule.name },
    ...diff({ ...inputOf(row.rule) }, { ...rule }),
  });
  return changed;
}

/** @throws AppError 404 */
export function removeRule(db: Db, owner: ProjectRow, id: number, occasion: Occasion): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await lockRule(tx, owner.id, id);
    await tx.delete(alertRule).where(and(eq(alertRule.projectId, owner.id), eq(alertRule.id, id)));
    await noteChange(tx, occasion, {
      action: "rule.removed",
      project: owner,
      subject: { id, name: inputOf(row.rule).name },
      before: { ...row.rule },
      after: null,
    });
  });
}

async function lockRule(tx: DbLike, projectId: number, id: number): Promise<Row> {
  const [row] = await tx
    .select()
    .from(alertRule)
    .where(and(eq(alertRule.projectId, projectId), eq(alertRule.id, id)))
    .for("update");
  if (row === undefined) throw noSuchRule();
  return row;
}

/** Switches the usual rules on: those that are missing are made, and those that are off are switched on as they are. */
export function switchUsualOn(db: Db, owner: ProjectRow, occasion: Occasion): Promise<AlertRules> {
  return db.transaction(async (tx) => {
    const rows = await tx.select().from(alertRule).where(eq(alertRule.projectId, owner.id)).for("update");
    for (const { preset, rule } of USUAL_RULES) {
      const row = rows.find((one) => one.preset === preset);
      if (row === undefined) await insertRule(tx, owner, { ...rule, isEnabled: true }, preset, occasion);
      else if (!inputOf(row.rule).isEnabled)
        await updateRule(tx, owner, row, { ...inputOf(row.rule), isEnabled: true }, occasion);
    }
    return listRules(tx, owner.id);
  });
}
