import { and, eq } from "drizzle-orm";
import type { Db, DbLike } from "../../db/drizzle.ts";
import { maintenanceWindow } from "../../db/schema/index.ts";
import { diff, noteChange, type Occasion } from "../audit/note-change.ts";
import type { MaintenanceChange, MaintenanceInput, MaintenanceWindow } from "../contract/alert.ts";
import type { RuleMatcher } from "../contract/alert-rule.ts";
import { WEEKDAYS } from "../contract/plan.ts";
import { invalidBody } from "../http/parse.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { findZone } from "../time/zone.ts";
import { changedMeanwhile, noSuchWindow } from "./alert-errors.ts";
import { findSpan, isUnderWay } from "./maintenance.ts";

type Row = typeof maintenanceWindow.$inferSelect;

export async function listWindows(
  db: DbLike,
  projectId: number,
  nowMs: number,
): Promise<MaintenanceWindow[]> {
  const rows = await db.select().from(maintenanceWindow).where(eq(maintenanceWindow.projectId, projectId));
  return rows.map((row) => toWindow(row, nowMs)).sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

function toWindow(row: Row, nowMs: number): MaintenanceWindow {
  const input = toInput(row);
  const span = input.isEnabled ? findSpan(input, nowMs) : null;
  return {
    ...input,
    id: row.id,
    version: row.version,
    isActive: isUnderWay(span, nowMs),
    next:
      span === null
        ? null
        : { from: new Date(span.fromMs).toISOString(), to: new Date(span.toMs).toISOString() },
  };
}

function toInput(row: Row): MaintenanceInput {
  return {
    name: row.name,
    isEnabled: row.isEnabled,
    where: row.matcher as RuleMatcher,
    zone: row.timeZone,
    days: WEEKDAYS.filter((day) => row.days.includes(day)),
    at: row.startsAt,
    lengthMinutes: row.lengthMinutes,
  };
}

function toColumns({ name, isEnabled, where, zone, days, at, lengthMinutes }: MaintenanceInput) {
  const timeZone = findZone(zone);
  if (timeZone === null)
    throw invalidBody([
      { pointer: "/zone", detail: "is no IANA time zone, like Europe/Berlin or Asia/Shanghai" },
    ]);
  return {
    name,
    isEnabled,
    matcher: { ...where },
    timeZone,
    days: WEEKDAYS.filter((day) => days.includes(day)),
    startsAt: at,
    lengthMinutes,
  };
}

/** @throws AppError 422 for a zone that there is not */
export function createWindow(
  db: Db,
  owner: ProjectRow,
  input: MaintenanceInput,
  occasion: Occasion,
): Promise<MaintenanceWindow> {
  const columns = toColumns(input);
  return db.transaction(async (tx) => {
    const { at } = occasion;
    const [row] = await tx
      .insert(maintenanceWindow)
      .values({ projectId: owner.id, ...columns, createdAt: at, changedAt: at })
      .returning();
    if (row === undefined) throw new Error("the new window was not returned");
    await noteChange(tx, occasion, {
      action: "maintenance.created",
      project: owner,
      subject: row,
      after: { ...toInput(row) },
    });
    return toWindow(row, at.getTime());
  });
}

/** @throws AppError 404; 409 when somebody else changed it since; 422 for a zone that there is not */
export function changeWindow(
  db: Db,
  owner: ProjectRow,
  id: number,
  { version, ...input }: MaintenanceChange,
  occasion: Occasion,
): Promise<MaintenanceWindow> {
  const columns = toColumns(input);
  return db.transaction(async (tx) => {
    const row = await lockWindow(tx, owner.id, id);
    if (row.version !== version) throw changedMeanwhile("maintenance window", version, row.version);
    const [changed] = await tx
      .update(maintenanceWindow)
      .set({ ...columns, version: version + 1, changedAt: occasion.at })
      .where(isOne(owner.id, id))
      .returning();
    if (changed === undefined) throw noSuchWindow();
    await noteChange(tx, occasion, {
      action: "maintenance.changed",
      project: owner,
      subject: changed,
      ...diff({ ...toInput(row) }, { ...toInput(changed) }),
    });
    return toWindow(changed, occasion.at.getTime());
  });
}

/** @throws AppError 404 */
export function removeWindow(db: Db, owner: ProjectRow, id: number, occasion: Occasion): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await lockWindow(tx, owner.id, id);
    await tx.delete(maintenanceWindow).where(isOne(owner.id, id));
    await noteChange(tx, occasion, {
      action: "maintenance.removed",
      project: owner,
      subject: row,
      before: { ...toInput(row) },
      after: null,
    });
  });
}

const isOne = (projectId: number, id: number) =>
  and(eq(maintenanceWindow.projectId, projectId), eq(maintenanceWindow.id, id));

async function lockWindow(tx: DbLike, projectId: number, id: number): Promise<Row> {
  const [row] = await tx.select().from(maintenanceWindow).where(isOne(projectId, id)).for("update");
  if (row === undefined) throw noSuchWindow();
  return row;
}
