import type { Sql } from "../../db/connect.ts";
import type { Db } from "../../db/drizzle.ts";
import { defaultLookback } from "../capacity/heatmap.ts";
import { listTargetCounts } from "../capacity/queries.ts";
import { planReading } from "../capacity/segments.ts";
import type { StatusPageAnswer } from "../contract/status.ts";
import * as contract from "../contract/status-routes.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { findZone } from "../time/zone.ts";
import { askedLanguage, askedRange } from "./asked.ts";
import { renderPage } from "./html/page.ts";
import {
  addUpdate,
  changeNote,
  createNote,
  listNotes,
  removeNote,
  rewordUpdate,
  toNoteRecord,
} from "./notes/notes.ts";
import type { StatusPages } from "./pages.ts";
import { usualHoursOf } from "./render.ts";
import {
  findPage,
  listComponents,
  listWords,
  type PageRow,
  savePage,
  stateComponent,
  toComponentRecord,
} from "./settings.ts";
import { readSnapshot } from "./snapshot.ts";
import { suggestComponents } from "./suggest.ts";

export interface StatusDeps {
  readonly db: Db;
  readonly sql: Sql;
  readonly pages: StatusPages;
  readonly publicUrl: () => string;
}

/** What the team does with its page. What is public is in `public-routes.ts`. */
export function statusRoutes(deps: StatusDeps): BoundRoute[] {
  return [...settingsRoutes(deps), ...noteRoutes(deps)];
}

function settingsRoutes({ db, sql, pages, publicUrl }: StatusDeps): BoundRoute[] {
  const answer = (project: ProjectRow, nowMs: number) => readSettings({ db, sql, publicUrl }, project, nowMs);
  return [
    bindRoute(contract.getStatusSettings, ({ project, nowMs }) => answer(project, nowMs)),
    bindRoute(contract.putStatusSettings, async ({ project, body, occasion, nowMs }) => {
      await savePage(db, project, body, occasion);
      pages.forget(project.id);
      return answer(project, nowMs);
    }),
    bindRoute(contract.putComponentWord, async ({ project, params, body, occasion }) => {
      const word = { componentId: params.component, state: body.state };
      const record = await stateComponent(db, project, word, occasion);
      pages.forget(project.id);
      return record;
    }),
    bindRoute(contract.getStatusPreview, async ({ project, query, nowMs, req, res }) => {
      const page = (await findPage(db, project.id)) ?? emptyPage(project, nowMs);
      const snapshot = await readSnapshot({ db, sql, history: pages.history }, page, project, nowMs);
      const view = {
        language: askedLanguage(req, query.lang),
        zone: (query.zone === undefined ? null : findZone(query.zone)) ?? project.timeZone,
        range: askedRange(query.range),
      };
      const place = {
        url: `${publicUrl()}/status/${page.slug}`,
        kept: { project: project.slug },
        isPreview: true,
        usualHours: (component: (typeof snapshot.components)[number]) =>
          usualHoursOf(component, view.zone, snapshot),
      };
      res.type("html").send(renderPage(snapshot, view, place));
      return undefined;
    }),
  ];
}

function noteRoutes({ db, pages }: StatusDeps): BoundRoute[] {
  return [
    bindRoute(contract.getNotes, async ({ project, nowMs }) => ({
      notes: (await listNotes(db, project.id)).map((note) => toNoteRecord(note, nowMs)),
    })),
    bindRoute(contract.postNote, async ({ project, body, occasion, nowMs }) => {
      const note = await createNote(db, project, body, occasion);
      pages.forget(project.id);
      return toNoteRecord(note, nowMs);
    }),
    bindRoute(contract.patchNote, async ({ project, params, body, occasion, nowMs }) => {
      const note = await changeNote(db, project, params.note, body, occasion);
      pages.forget(project.id);
      return toNoteRecord(note, nowMs);
    }),
    bindRoute(contract.deleteNote, async ({ project, params, occasion }) => {
      await removeNote(db, project, params.note, occasion);
      pages.forget(project.id);
      return undefined;
    }),
    bindRoute(contract.postUpdate, async ({ project, params, body, occasion, nowMs }) => {
      const note = await addUpdate(db, project, params.note, body, occasion);
      pages.forget(project.id);
      return toNoteRecord(note, nowMs);
    }),
    bindRoute(contract.patchUpdate, async ({ project, params, body, occasion, nowMs }) => {
      const where = { publicId: params.note, updateId: params.update, body: body.body };
      const note = await rewordUpdate(db, project, where, occasion);
      pages.forget(project.id);
      return toNoteRecord(note, nowMs);
    }),
  ];
}

/** A page that was never saved: it has the project's address, and nothing on it. */
function emptyPage(project: ProjectRow, nowMs: number): PageRow {
  return {
    projectId: project.id,
    slug: project.slug,
    isPublic: false,
    isIndexed: false,
    showsVolumes: false,
    name: { en: project.name, zh: "" },
    about: { en: "", zh: "" },
    homeUrl: null,
    updatedAt: new Date(nowMs),
  };
}

async function readSettings(
  { db, sql, publicUrl }: Pick<StatusDeps, "db" | "sql" | "publicUrl">,
  project: ProjectRow,
  nowMs: number,
): Promise<StatusPageAnswer> {
  const segments = planReading(defaultLookback(nowMs), nowMs, "1d").segments;
  const [saved, components, words, counts] = await Promise.all([
    findPage(db, project.id),
    listComponents(db, project.id),
    listWords(db, project.id, true),
    listTargetCounts(sql, { projectId: project.id, filter: {}, segments }),
  ]);
  const { slug, isPublic, isIndexed, showsVolumes, name, about, homeUrl } =
    saved ?? emptyPage(project, nowMs);
  return {
    page: {
      slug,
      isPublic,
      isIndexed,
      showsVolumes,
      name,
      about,
      homeUrl,
      url: `${publicUrl()}/status/${slug}`,
      isSaved: saved !== null,
    },
    components: components.map((row) => toComponentRecord(row, words)),
    suggestions: suggestComponents(counts, components),
  };
}
