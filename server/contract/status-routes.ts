import { z } from "zod";
import { forAdmins, forReaders } from "./callers.ts";
import * as query from "./query.ts";
import { defineRoute, type RouteContract } from "./route.ts";
import * as status from "./status.ts";
import * as statuspage from "./statuspage.ts";

/** Public addresses get parameters of all kinds added by whoever passes them on; those of ours that make no sense are passed over. */
const view = {
  lang: z.string().max(20).optional().catch(undefined).describe("en or zh; else what the browser prefers."),
  zone: z
    .string()
    .max(64)
    .optional()
    .catch(undefined)
    .describe("IANA zone; the project's own when left out."),
  range: z.string().max(10).optional().catch(undefined).describe("24h, 7d or 90d."),
};
const language = z.looseObject({ lang: view.lang });
const params = z.object({ slug: z.string() });
/** Anybody may write notes who is on call; what is public at all is for admins. */
const forWriters = { ...forAdmins, role: "editor" } as const;
/** No id has other characters; some the database cannot even look for. */
const id = z.string().regex(/^[\w:-]{1,40}$/, "is none that was given out");
const ofNote = z.object({ note: id });
const ofUpdate = ofNote.extend({ update: id });

export const getStatusPage = defineRoute({
  method: "get",
  path: "/status/:slug",
  summary: "The status page, HTML; 404 unless it is switched on.",
  access: "public",
  params,
  query: z.looseObject(view),
  answer: { status: 200, description: "HTML, in English or Chinese.", mediaType: "text/html" },
});

const json = <const Path extends string, Schema extends z.ZodType>(
  path: Path,
  summary: string,
  schema: Schema,
) =>
  defineRoute({
    method: "get",
    path: `/status/:slug/api/v2/${path}`,
    summary,
    access: "public",
    params,
    query: language,
    answer: { status: 200, description: "As Statuspage has it.", schema },
  });

export const getSummaryJson = json(
  "summary.json",
  "Components, what is open, what is planned, and the whole in a sentence.",
  statuspage.summaryAnswer,
);
export const getStatusJson = json("status.json", "The whole in a sentence.", statuspage.statusAnswer);
export const getComponentsJson = json(
  "components.json",
  "The components and how each does.",
  statuspage.componentsAnswer,
);
export const getIncidentsJson = json(
  "incidents.json",
  "The 50 last incidents: notes of the team, and busy times that were measured.",
  statuspage.incidentsAnswer,
);
export const getUnresolvedJson = json(
  "incidents/unresolved.json",
  "Incidents that go on.",
  statuspage.incidentsAnswer,
);
export const getMaintenancesJson = json(
  "scheduled-maintenances.json",
  "The 50 last maintenances.",
  statuspage.maintenancesAnswer,
);
export const getUpcomingJson = json(
  "scheduled-maintenances/upcoming.json",
  "Maintenances that are planned.",
  statuspage.maintenancesAnswer,
);
export const getActiveJson = json(
  "scheduled-maintenances/active.json",
  "Maintenances under way.",
  statuspage.maintenancesAnswer,
);

const file = <const Path extends string>(path: Path, summary: string, mediaType: string) =>
  defineRoute({
    method: "get",
    path: `/status/:slug/${path}`,
    summary,
    access: "public",
    params,
    query: language,
    answer: { status: 200, description: "The file.", mediaType },
  });

export const getAtomFeed = file(
  "history.atom",
  "Incidents and maintenances as an Atom feed.",
  "application/atom+xml",
);
export const getRssFeed = file("history.rss", "The same as RSS 2.0.", "application/rss+xml");
export const getBadge = defineRoute({
  method: "get",
  path: "/status/:slug/badge.svg",
  summary: "A badge: the whole page, or one component.",
  access: "public",
  params,
  query: z.looseObject({
    lang: view.lang,
    component: z.string().max(40).optional().catch(undefined).describe("Id of a component."),
  }),
  answer: { status: 200, description: "An SVG.", mediaType: "image/svg+xml" },
});
export const getStatusAsset = defineRoute({
  method: "get",
  path: "/status/-/:asset",
  summary: "Style and script of status pages, named by their content.",
  access: "public",
  params: z.object({ asset: z.string() }),
  answer: { status: 200, description: "The file." },
});

export const getStatusSettings = defineRoute({
  method: "get",
  path: "/api/status-page",
  summary: "What the project's status page shows, and models that it could.",
  access: forReaders,
  query: query.projectQuery,
  answer: { status: 200, description: "Its settings.", schema: status.statusPageAnswer },
});

export const putStatusSettings = defineRoute({
  method: "put",
  path: "/api/status-page",
  summary: "Set what the status page shows, and switch it on or off.",
  access: forAdmins,
  audit: ["status.changed"],
  query: query.projectQuery,
  body: { kind: "json", schema: status.statusPageChange },
  answer: { status: 200, description: "As it is now.", schema: status.statusPageAnswer },
});

export const putComponentWord = defineRoute({
  method: "put",
  path: "/api/status-page/components/:component/word",
  summary: "Say how a component does, or say nothing any more.",
  access: forWriters,
  audit: ["status.stated"],
  params: z.object({ component: id }),
  query: query.projectQuery,
  body: { kind: "json", schema: status.componentWord },
  answer: { status: 200, description: "The component.", schema: status.statusComponentRecord },
});

export const getStatusPreview = defineRoute({
  method: "get",
  path: "/api/status-page/preview",
  summary: "The page as it would be seen, public or not.",
  access: forReaders,
  query: z.object({ ...query.project, ...view }),
  answer: { status: 200, description: "HTML.", mediaType: "text/html" },
});

export const getNotes = defineRoute({
  method: "get",
  path: "/api/status-notes",
  summary: "What the team wrote on the status page, newest first.",
  access: forReaders,
  query: query.projectQuery,
  answer: { status: 200, description: "The notes.", schema: status.notesAnswer },
});

export const postNote = defineRoute({
  method: "post",
  path: "/api/status-notes",
  summary: "Write of an incident, or announce a maintenance.",
  access: forWriters,
  audit: ["note.created"],
  query: query.projectQuery,
  body: { kind: "json", schema: status.newNote },
  answer: { status: 201, description: "The note.", schema: status.noteRecord },
});

export const patchNote = defineRoute({
  method: "patch",
  path: "/api/status-notes/:note",
  summary: "Change a note's title, impact, components or times.",
  access: forWriters,
  audit: ["note.changed"],
  params: ofNote,
  query: query.projectQuery,
  body: { kind: "json", schema: status.noteChange },
  answer: { status: 200, description: "The note.", schema: status.noteRecord },
});

export const deleteNote = defineRoute({
  method: "delete",
  path: "/api/status-notes/:note",
  summary: "Remove a note with its updates.",
  access: forWriters,
  audit: ["note.removed"],
  params: ofNote,
  query: query.projectQuery,
  answer: { status: 204, description: "It is gone." },
});

export const postUpdate = defineRoute({
  method: "post",
  path: "/api/status-notes/:note/updates",
  summary: "Say how it goes on, up to resolved or completed.",
  access: forWriters,
  audit: ["note.updated"],
  params: ofNote,
  query: query.projectQuery,
  body: { kind: "json", schema: status.newUpdate },
  answer: { status: 201, description: "The note.", schema: status.noteRecord },
});

export const patchUpdate = defineRoute({
  method: "patch",
  path: "/api/status-notes/:note/updates/:update",
  summary: "Mend the words of an update.",
  access: forWriters,
  audit: ["note.changed"],
  params: ofUpdate,
  query: query.projectQuery,
  body: { kind: "json", schema: status.updateChange },
  answer: { status: 200, description: "The note.", schema: status.noteRecord },
});

/** What everybody may see, and what the team sets of it. */
export const STATUS_ROUTES: readonly RouteContract[] = [
  getStatusAsset,
  getStatusPage,
  getSummaryJson,
  getStatusJson,
  getComponentsJson,
  getIncidentsJson,
  getUnresolvedJson,
  getMaintenancesJson,
  getUpcomingJson,
  getActiveJson,
  getAtomFeed,
  getRssFeed,
  getBadge,
  getStatusSettings,
  putStatusSettings,
  putComponentWord,
  getStatusPreview,
  getNotes,
  postNote,
  patchNote,
  deleteNote,
  postUpdate,
  patchUpdate,
];
