import { and, asc, eq, isNull } from "drizzle-orm";
import type { Db, DbLike } from "../../db/drizzle.ts";
import { project, statusComponent, statusPage, statusWord } from "../../db/schema/index.ts";
import { diff, noteChange, type Occasion } from "../audit/note-change.ts";
import type {
  NewComponent,
  StatusComponentRecord,
  StatusPageChange,
  StatusWord,
} from "../contract/status.ts";
import { AppError } from "../http/app-error.ts";
import { invalidBody } from "../http/parse.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { newPublicId } from "./public-id.ts";

export type PageRow = typeof statusPage.$inferSelect;
export type ComponentRow = typeof statusComponent.$inferSelect;
export type WordRow = typeof statusWord.$inferSelect;

export async function findPage(db: DbLike, projectId: number): Promise<PageRow | null> {
  const [row] = await db.select().from(statusPage).where(eq(statusPage.projectId, projectId));
  return row ?? null;
}

/** The page of this address with its project, public or not. */
export async function findPageBySlug(
  db: DbLike,
  slug: string,
): Promise<{ readonly page: PageRow; readonly owner: ProjectRow } | null> {
  if (slug.includes("\0")) return null;
  const [row] = await db
    .select({ page: statusPage, owner: project })
    .from(statusPage)
    .innerJoin(project, eq(project.id, statusPage.projectId))
    .where(eq(statusPage.slug, slug));
  return row ?? null;
}

export async function listComponents(db: DbLike, projectId: number): Promise<ComponentRow[]> {
  return db
    .select()
    .from(statusComponent)
    .where(eq(statusComponent.projectId, projectId))
    .orderBy(asc(statusComponent.position), asc(statusComponent.id));
}

/** What was said of components, ascending; only what holds when `holding`. */
export async function listWords(db: DbLike, projectId: number, holding = false): Promise<WordRow[]> {
  return db
    .select()
    .from(statusWord)
    .where(and(eq(statusWord.projectId, projectId), holding ? isNull(statusWord.toAt) : undefined))
    .orderBy(asc(statusWord.fromAt), asc(statusWord.id));
}

export function toComponentRecord(row: ComponentRow, words: readonly WordRow[]): StatusComponentRecord {
  const { id, name, about, mode, targets } = row;
  const holding = words.find(({ componentId, toAt }) => componentId === id && toAt === null);
  return {
    id,
    name,
    about,
    mode,
    targets: [...targets],
    stated: holding === undefined ? null : { state: holding.state, since: holding.fromAt.toISOString() },
  };
}

/**
 * Makes the page what is given: components that are named by their id, or else by the same name, stay the same ones,
 * others are new, and those that are left out go.
 *
 * @throws AppError 409 when another project's page has the address; 422 for an id that is none
 */
export function savePage(
  db: Db,
  owner: ProjectRow,
  given: StatusPageChange,
  occasion: Occasion,
): Promise<void> {
  const { components, ...page } = given;
  return db.transaction(async (tx) => {
    // One after the other, also where there is no page yet.
    await tx.select({ id: project.id }).from(project).where(eq(project.id, owner.id)).for("update");
    const old = await findPage(tx, owner.id);
    const [taken] = await tx.select().from(statusPage).where(eq(statusPage.slug, page.slug));
    if (taken !== undefined && taken.projectId !== owner.id) throw addressTaken();
    const set = { ...page, updatedAt: occasion.at };
    const [row] = await tx
      .insert(statusPage)
      .values({ projectId: owner.id, ...set })
      .onConflictDoUpdate({ target: statusPage.projectId, set })
      .returning();
    if (row === undefined) throw new Error("a status page was not written");
    const before = await listComponents(tx, owner.id);
    const after = await replaceComponents(tx, owner.id, before, components, occasion);
    const changed = diff(toAudit(old, before), toAudit(row, after));
    await noteChange(tx, occasion, {
      action: "status.changed",
      project: owner,
      subject: { id: owner.id, name: page.slug },
      ...changed,
    });
  });
}

async function replaceComponents(
  tx: DbLike,
  projectId: number,
  before: readonly ComponentRow[],
  given: readonly NewComponent[],
  { at }: Occasion,
): Promise<ComponentRow[]> {
  const known = new Map(before.map((row) => [row.id, row]));
  const kept = new Set<string>(given.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const named = (name: NewComponent["name"]) =>
    before.find((row) => !kept.has(row.id) && row.name.en === name.en && row.name.zh === name.zh)?.id;
  const rows = given.map(({ id: givenId, name, about, mode, targets }, position): ComponentRow => {
    const isTwice = given.findIndex(({ id }) => id !== undefined && id === givenId) < position;
    if (givenId !== undefined && (!known.has(givenId) || isTwice))
      throw invalidBody([
        { pointer: `/components/${position}/id`, detail: "is none of this page, or stands there twice" },
      ]);
    // Who sends the same again without ids means the same ones.
    const id = givenId ?? named(name);
    if (id !== undefined) kept.add(id);
    const old = id === undefined ? undefined : known.get(id);
    const parts = { position, name, about, mode, targets };
    if (old === undefined) return { projectId, id: newPublicId(), ...parts, createdAt: at, updatedAt: at };
    const isSame = Object.keys(diff(pickParts(old), pickParts({ ...old, ...parts })).after).length === 0;
    return { ...old, ...parts, updatedAt: isSame ? old.updatedAt : at };
  });
  for (const { id } of before) {
    if (kept.has(id)) continue;
    await tx
      .delete(statusComponent)
      .where(and(eq(statusComponent.projectId, projectId), eq(statusComponent.id, id)));
    await tx
      .delete(statusWord)
      .where(and(eq(statusWord.projectId, projectId), eq(statusWord.componentId, id)));
  }
  for (const row of rows) {
    const { position, name, about, mode, targets, updatedAt } = row;
    await tx
      .insert(statusComponent)
      .values(row)
      .onConflictDoUpdate({
        target: [statusComponent.projectId, statusComponent.id],
        set: { position, name, about, mode, targets, updatedAt },
      });
  }
  return rows;
}

const pickParts = ({ name, about, mode, targets }: ComponentRow) => ({ name, about, mode, targets });

function toAudit(page: PageRow | null, components: readonly ComponentRow[]) {
  return {
    slug: page?.slug ?? null,
    isPublic: page?.isPublic ?? false,
    isIndexed: page?.isIndexed ?? false,
    showsVolumes: page?.showsVolumes ?? false,
    name: page?.name ?? null,
    about: page?.about ?? null,
    homeUrl: page?.homeUrl ?? null,
    components: components.map((row) => ({ id: row.id, ...pickParts(row) })),
  };
}

/**
 * Says how a component does from now on; `null`: nothing.
 *
 * @throws AppError 404
 */
export function stateComponent(
  db: Db,
  owner: ProjectRow,
  { componentId, state }: { readonly componentId: string; readonly state: StatusWord | null },
  occasion: Occasion,
): Promise<StatusComponentRecord> {
  return db.transaction(async (tx) => {
    const ofProject = and(eq(statusComponent.projectId, owner.id), eq(statusComponent.id, componentId));
    const [row] = await tx.select().from(statusComponent).where(ofProject).for("update");
    if (row === undefined) throw noSuchComponent();
    const holding = (await listWords(tx, owner.id, true)).find((word) => word.componentId === componentId);
    if (holding?.state !== state || (holding === undefined) !== (state === null)) {
      if (holding !== undefined)
        await tx
          .update(statusWord)
          .set({ toAt: occasion.at })
          .where(and(eq(statusWord.projectId, owner.id), eq(statusWord.id, holding.id)));
      if (state !== null)
        await tx
          .insert(statusWord)
          .values({ projectId: owner.id, componentId, state, fromAt: occasion.at, toAt: null });
      await noteChange(tx, occasion, {
        action: "status.stated",
        project: owner,
        subject: { id: componentId, name: row.name.en || row.name.zh },
        before: holding === undefined ? null : { state: holding.state },
        after: state === null ? null : { state },
      });
    }
    return toComponentRecord(row, await listWords(tx, owner.id, true));
  });
}

function addressTaken(): AppError {
  return new AppError({
    status: 409,
    code: "status_address_taken",
    title: "This address is taken",
    errors: [{ pointer: "/slug", detail: "is the address of another page" }],
  });
}

function noSuchComponent(): AppError {
  return new AppError({ status: 404, code: "no_such_component", title: "There is no such component" });
}
