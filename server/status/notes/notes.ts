import { and, asc, desc, eq, gte, inArray, or, sql } from "drizzle-orm";
import type { Db, DbLike } from "../../../db/drizzle.ts";
import { statusComponent, statusNote, statusUpdate } from "../../../db/schema/index.ts";
import { diff, noteChange, type Occasion } from "../../audit/note-change.ts";
import type { AuditAction } from "../../contract/audit.ts";
import {
  INCIDENT_STATES,
  type LocalText,
  MAINTENANCE_STATES,
  type NewNote,
  type NewUpdate,
  type NoteChange,
  type NoteRecord,
} from "../../contract/status.ts";
import { AppError } from "../../http/app-error.ts";
import { invalidBody } from "../../http/parse.ts";
import type { ProjectRow } from "../../projects/projects.ts";
import { newPublicId } from "../public-id.ts";
import { judgeNote, type Note } from "./note-life.ts";

type NoteRow = typeof statusNote.$inferSelect;
type UpdateRow = typeof statusUpdate.$inferSelect;

const MOST_NOTES = 200;

/** The newest notes, by when they began; those that have not are the newest. @param from only those since, or not over */
export async function listNotes(db: DbLike, projectId: number, from: Date | null = null): Promise<Note[]> {
  const isOver = sql`exists (select from ${statusUpdate} where ${statusUpdate.projectId} = ${statusNote.projectId}
    and ${statusUpdate.noteId} = ${statusNote.id} and ${statusUpdate.state} in ('resolved', 'completed'))`;
  const rows = await db
    .select()
    .from(statusNote)
    .where(
      and(
        eq(statusNote.projectId, projectId),
        from === null ? undefined : or(gte(statusNote.startsAt, from), sql`not ${isOver}`),
      ),
    )
    .orderBy(desc(statusNote.startsAt), desc(statusNote.id))
    .limit(MOST_NOTES);
  return withUpdates(db, projectId, rows);
}

async function withUpdates(db: DbLike, projectId: number, rows: readonly NoteRow[]): Promise<Note[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const updates = await db
    .select()
    .from(statusUpdate)
    .where(and(eq(statusUpdate.projectId, projectId), inArray(statusUpdate.noteId, ids)))
    .orderBy(asc(statusUpdate.at), asc(statusUpdate.id));
  return rows.map((row) =>
    toNote(
      row,
      updates.filter(({ noteId }) => noteId === row.id),
    ),
  );
}

function toNote(row: NoteRow, updates: readonly UpdateRow[]): Note {
  return {
    id: row.publicId,
    kind: row.kind,
    impact: row.impact,
    title: row.title,
    componentIds: row.componentIds,
    startsAtMs: row.startsAt.getTime(),
    endsAtMs: row.endsAt?.getTime() ?? null,
    createdAtMs: row.createdAt.getTime(),
    updates: updates.map(({ publicId, state, body, at }) => ({
      id: publicId,
      state,
      body,
      atMs: at.getTime(),
    })),
  };
}

export function toNoteRecord(note: Note, nowMs: number): NoteRecord {
  const { id, kind, title, impact, componentIds, startsAtMs, endsAtMs, createdAtMs, updates } = note;
  return {
    id,
    kind,
    title,
    impact,
    components: [...componentIds],
    state: judgeNote(note, nowMs).state,
    startsAt: new Date(startsAtMs).toISOString(),
    endsAt: endsAtMs === null ? null : new Date(endsAtMs).toISOString(),
    createdAt: new Date(createdAtMs).toISOString(),
    updates: updates
      .map((update) => ({
        id: update.id,
        state: update.state,
        body: update.body,
        at: new Date(update.atMs).toISOString(),
      }))
      .reverse(),
  };
}

/** @throws AppError 422 for components that are none */
export function createNote(db: Db, owner: ProjectRow, given: NewNote, occasion: Occasion): Promise<Note> {
  return db.transaction(async (tx) => {
    await assertComponents(tx, owner.id, given.components);
    const isIncident = given.kind === "incident";
    const [row] = await tx
      .insert(statusNote)
      .values({
        projectId: owner.id,
        publicId: newPublicId(),
        kind: given.kind,
        impact: isIncident ? given.impact : "none",
        title: given.title,
        componentIds: given.components,
        startsAt: given.startsAt === undefined ? occasion.at : new Date(given.startsAt),
        endsAt: isIncident ? null : new Date(given.endsAt),
        createdAt: occasion.at,
      })
      .returning();
    if (row === undefined) throw new Error("a note was not written");
    const state = isIncident ? given.state : "scheduled";
    await insertUpdate(tx, row, { state, body: given.body }, occasion);
    await note(tx, owner, occasion, "note.created", row, {
      before: null,
      after: { ...toAudit(row), state, body: given.body },
    });
    return getNote(tx, owner.id, row.publicId);
  });
}

/** @throws AppError 404; 422 for components that are none, times in the wrong order or what is not of its kind */
export function changeNote(
  db: Db,
  owner: ProjectRow,
  publicId: string,
  change: NoteChange,
  occasion: Occasion,
): Promise<Note> {
  return db.transaction(async (tx) => {
    const old = await lockNote(tx, owner.id, publicId);
    if (change.components !== undefined) await assertComponents(tx, owner.id, change.components);
    const isIncident = old.kind === "incident";
    if (isIncident && change.endsAt !== undefined)
      throw invalidBody([{ pointer: "/endsAt", detail: "is of maintenances alone; say resolved instead" }]);
    if (!isIncident && change.impact !== undefined)
      throw invalidBody([{ pointer: "/impact", detail: "is of incidents alone" }]);
    const set = {
      title: change.title ?? old.title,
      impact: change.impact ?? old.impact,
      componentIds: change.components ?? old.componentIds,
      startsAt: change.startsAt === undefined ? old.startsAt : new Date(change.startsAt),
      endsAt: change.endsAt === undefined ? old.endsAt : new Date(change.endsAt),
    };
    if (set.endsAt !== null && set.endsAt <= set.startsAt)
      throw invalidBody([{ pointer: "/endsAt", detail: "must be after startsAt" }]);
    await tx
      .update(statusNote)
      .set(set)
      .where(and(eq(statusNote.projectId, owner.id), eq(statusNote.id, old.id)));
    const changed = diff(toAudit(old), toAudit({ ...old, ...set }));
    if (Object.keys(changed.after).length > 0) await note(tx, owner, occasion, "note.changed", old, changed);
    return getNote(tx, owner.id, publicId);
  });
}

/** @throws AppError 404 */
export function removeNote(db: Db, owner: ProjectRow, publicId: string, occasion: Occasion): Promise<void> {
  return db.transaction(async (tx) => {
    const old = await lockNote(tx, owner.id, publicId);
    await tx
      .delete(statusUpdate)
      .where(and(eq(statusUpdate.projectId, owner.id), eq(statusUpdate.noteId, old.id)));
    await tx.delete(statusNote).where(and(eq(statusNote.projectId, owner.id), eq(statusNote.id, old.id)));
    await note(tx, owner, occasion, "note.removed", old, { before: toAudit(old), after: null });
  });
}

/** @throws AppError 404; 422 for a state of the other kind */
export function addUpdate(
  db: Db,
  owner: ProjectRow,
  publicId: string,
  given: NewUpdate,
  occasion: Occasion,
): Promise<Note> {
  return db.transaction(async (tx) => {
    const row = await lockNote(tx, owner.id, publicId);
    const states: readonly string[] = row.kind === "incident" ? INCIDENT_STATES : MAINTENANCE_STATES;
    if (!states.includes(given.state))
      throw invalidBody([{ pointer: "/state", detail: `must be one of ${states.join(", ")}` }]);
    await insertUpdate(tx, row, given, occasion);
    await note(tx, owner, occasion, "note.updated", row, { before: null, after: given });
    return getNote(tx, owner.id, publicId);
  });
}

/** @throws AppError 404 */
export function rewordUpdate(
  db: Db,
  owner: ProjectRow,
  { publicId, updateId, body }: { publicId: string; updateId: string; body: LocalText },
  occasion: Occasion,
): Promise<Note> {
  return db.transaction(async (tx) => {
    const row = await lockNote(tx, owner.id, publicId);
    const ofNote = and(
      eq(statusUpdate.projectId, owner.id),
      eq(statusUpdate.noteId, row.id),
      eq(statusUpdate.publicId, updateId),
    );
    const [old] = await tx.select().from(statusUpdate).where(ofNote);
    if (old === undefined) throw noSuchNote();
    await tx.update(statusUpdate).set({ body }).where(ofNote);
    await note(tx, owner, occasion, "note.changed", row, { before: { body: old.body }, after: { body } });
    return getNote(tx, owner.id, publicId);
  });
}

async function insertUpdate(
  tx: DbLike,
  row: NoteRow,
  { state, body }: NewUpdate,
  { at }: Occasion,
): Promise<void> {
  await tx
    .insert(statusUpdate)
    .values({ projectId: row.projectId, noteId: row.id, publicId: newPublicId(), state, body, at });
}

async function getNote(tx: DbLike, projectId: number, publicId: string): Promise<Note> {
  const row = await findRow(tx, projectId, publicId);
  const [found] = row === undefined ? [] : await withUpdates(tx, projectId, [row]);
  if (found === undefined) throw noSuchNote();
  return found;
}

async function findRow(tx: DbLike, projectId: number, publicId: string): Promise<NoteRow | undefined> {
  const [row] = await tx
    .select()
    .from(statusNote)
    .where(and(eq(statusNote.projectId, projectId), eq(statusNote.publicId, publicId)))
    .for("update");
  return row;
}

async function lockNote(tx: DbLike, projectId: number, publicId: string): Promise<NoteRow> {
  const row = publicId.includes("\0") ? undefined : await findRow(tx, projectId, publicId);
  if (row === undefined) throw noSuchNote();
  return row;
}

async function assertComponents(tx: DbLike, projectId: number, ids: readonly string[]): Promise<void> {
  const rows = await tx
    .select({ id: statusComponent.id })
    .from(statusComponent)
    .where(eq(statusComponent.projectId, projectId));
  const known = new Set(rows.map(({ id }) => id));
  const at = ids.findIndex((id) => !known.has(id));
  if (at >= 0)
    throw invalidBody([{ pointer: `/components/${at}`, detail: "is no component of the status page" }]);
}

function toAudit({ kind, title, impact, componentIds, startsAt, endsAt }: NoteRow) {
  return {
    kind,
    title,
    impact,
    components: componentIds,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
  };
}

function note(
  tx: DbLike,
  owner: ProjectRow,
  occasion: Occasion,
  action: AuditAction,
  { publicId, title }: NoteRow,
  changed: {
    readonly before: Readonly<Record<string, unknown>> | null;
    readonly after: Readonly<Record<string, unknown>> | null;
  },
): Promise<void> {
  return noteChange(tx, occasion, {
    action,
    project: owner,
    subject: { id: publicId, name: title.en || title.zh },
    ...changed,
  });
}

function noSuchNote(): AppError {
  return new AppError({ status: 404, code: "no_such_note", title: "There is no such note" });
}
