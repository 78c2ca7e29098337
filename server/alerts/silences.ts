import { and, desc, eq, gt, isNull } from "drizzle-orm";
import type { Db, DbLike } from "../../db/drizzle.ts";
import { alert, alertRule, silence } from "../../db/schema/index.ts";
import { noteChange, type Occasion } from "../audit/note-change.ts";
import type { NewSilence, Silence, SilenceChange } from "../contract/alert.ts";
import type { RuleMatcher } from "../contract/alert-rule.ts";
import { invalidBody } from "../http/parse.ts";
import { parseEventTime } from "../ingest/parse-attempt.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { DAY_MS } from "../rollup/levels.ts";
import { noSuchSilence, silenceIsOver } from "./alert-errors.ts";
import { describeSubject } from "./describe-subject.ts";

type Row = typeof silence.$inferSelect;

const LONGEST_MS = 90 * DAY_MS;
const SHOWN_MS = 30 * DAY_MS;

/** Those that are active, then those that ended within 30 days, newest first. */
export async function listSilences(db: Db, projectId: number, now: Date): Promise<Silence[]> {
  const [rows, muted] = await Promise.all([
    db
      .select()
      .from(silence)
      .where(and(eq(silence.projectId, projectId), gt(silence.untilAt, new Date(now.getTime() - SHOWN_MS))))
      .orderBy(desc(silence.id)),
    db
      .select({ id: alert.mutedById })
      .from(alert)
      .where(and(eq(alert.projectId, projectId), isNull(alert.endedAt), eq(alert.mutedBy, "silence"))),
  ]);
  const silences = rows.map((row) => toSilence(row, now, muted.filter(({ id }) => id === row.id).length));
  return [...silences.filter(({ isActive }) => isActive), ...silences.filter(({ isActive }) => !isActive)];
}

function toSilence(row: Row, now: Date, muted: number): Silence {
  const { kind, name } = row.author;
  return {
    id: row.id,
    where: row.matcher as RuleMatcher,
    rule: row.ruleId,
    from: row.fromAt.toISOString(),
    until: row.untilAt.toISOString(),
    reason: row.reason,
    by: { kind, name },
    isActive: row.untilAt > now,
    muted,
  };
}

/** @throws AppError 422 for an end that cannot be, or a rule that is not the project's */
export function createSilence(
  db: Db,
  owner: ProjectRow,
  { where, rule, until, reason }: NewSilence,
  occasion: Occasion,
): Promise<Silence> {
  const untilAt = readUntil(until, occasion.at);
  return db.transaction(async (tx) => {
    if (rule !== null) await assertRule(tx, owner.id, rule);
    const [row] = await tx
      .insert(silence)
      .values({
        projectId: owner.id,
        matcher: { ...where },
        ruleId: rule,
        fromAt: occasion.at,
        untilAt,
        reason,
        author: occasion.actor,
      })
      .returning();
    if (row === undefined) throw new Error("the new silence was not returned");
    await note(tx, owner, occasion, "silence.created", row, null);
    return toSilence(row, occasion.at, 0);
  });
}

async function assertRule(tx: DbLike, projectId: number, id: number): Promise<void> {
  const [row] = await tx
    .select({ id: alertRule.id })
    .from(alertRule)
    .where(and(eq(alertRule.projectId, projectId), eq(alertRule.id, id)));
  if (row === undefined) throw invalidBody([{ pointer: "/rule", detail: "is no rule of this project" }]);
}

/** @throws AppError 404; 409 when it is over; 422 for an end that cannot be */
export function changeSilence(
  db: Db,
  owner: ProjectRow,
  id: number,
  { until, reason }: SilenceChange,
  occasion: Occasion,
): Promise<Silence> {
  const untilAt = until === undefined ? undefined : readUntil(until, occasion.at);
  return change(db, owner, id, occasion, "silence.changed", {
    ...(untilAt === undefined ? {} : { untilAt }),
    ...(reason === undefined ? {} : { reason }),
  });
}

/** @throws AppError 404; 409 when it is over already */
export async function endSilence(db: Db, owner: ProjectRow, id: number, occasion: Occasion): Promise<void> {
  await change(db, owner, id, occasion, "silence.ended", { untilAt: occasion.at });
}

function change(
  db: Db,
  owner: ProjectRow,
  id: number,
  occasion: Occasion,
  action: "silence.changed" | "silence.ended",
  parts: { untilAt?: Date; reason?: string },
): Promise<Silence> {
  const isOwn = and(eq(silence.projectId, owner.id), eq(silence.id, id));
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(silence).where(isOwn).for("update");
    if (row === undefined) throw noSuchSilence();
    if (row.untilAt <= occasion.at) throw silenceIsOver(row.untilAt);
    const [changed] =
      Object.keys(parts).length === 0 ? [row] : await tx.update(silence).set(parts).where(isOwn).returning();
    if (changed === undefined) throw noSuchSilence();
    await note(tx, owner, occasion, action, changed, row);
    return toSilence(changed, occasion.at, 0);
  });
}

function note(
  tx: DbLike,
  owner: ProjectRow,
  occasion: Occasion,
  action: "silence.created" | "silence.changed" | "silence.ended",
  row: Row,
  before: Row | null,
): Promise<void> {
  const told = ({ matcher, ruleId, untilAt, reason }: Row) => ({
    where: matcher,
    rule: ruleId,
    until: untilAt.toISOString(),
    reason,
  });
  return noteChange(tx, occasion, {
    action,
    project: owner,
    subject: { id: row.id, name: describeSubject(row.matcher as RuleMatcher) },
    before: before === null ? null : told(before),
    after: told(row),
  });
}

function readUntil(text: string, now: Date): Date {
  const refuse = (detail: string) => invalidBody([{ pointer: "/until", detail }]);
  const time = parseEventTime(text);
  if (typeof time === "string") throw refuse(time);
  if (time <= now.getTime()) throw refuse("must be in the future");
  if (time > now.getTime() + LONGEST_MS) {
    throw refuse("must be within 90 days; what is never to be told needs no rule, or a narrower one");
  }
  return new Date(time);
}
