import { z } from "zod";
import { instant } from "./share.ts";

/** How a component does, best first. */
export const STATUS_LEVELS = ["available", "busy", "veryBusy", "unavailable"] as const;
export type StatusLevel = (typeof STATUS_LEVELS)[number];

/** What the team may say of a component. */
export const STATUS_WORDS = [...STATUS_LEVELS, "maintenance"] as const;
export type StatusWord = (typeof STATUS_WORDS)[number];

/** What is shown of a component. */
export const STATUS_STATES = [...STATUS_WORDS, "noData"] as const;
export type StatusState = (typeof STATUS_STATES)[number];

export const COMPONENT_MODES = ["auto", "manual", "both"] as const;
export const INCIDENT_STATES = ["investigating", "identified", "monitoring", "resolved"] as const;
export const MAINTENANCE_STATES = ["scheduled", "in_progress", "verifying", "completed"] as const;
export const IMPACTS = ["none", "minor", "major", "critical"] as const;

/** Written by people: no control characters but line ends and tabs. */
const written = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(
      /^[^\p{Cc}\u2028\u2029]*(?:[\n\r\t][^\p{Cc}\u2028\u2029]*)*$/u,
      "must be without control characters",
    );

/** In the languages of the page; the other one stands in where one is empty. */
const localText = (most: number) =>
  z.object({ en: written(most).default(""), zh: written(most).default("") });
const neededText = (most: number) =>
  localText(most).refine(({ en, zh }) => en !== "" || zh !== "", {
    message: "is needed in one language at least",
  });

const label = z.string().min(1).max(200);
export const componentTarget = z
  .object({
    provider: label,
    model: label,
    endpoint: z.string().max(200).nullable().describe("null: all endpoints of the model."),
  })
  .meta({ id: "StatusTarget" });

const publicId = z.string().regex(/^[a-z0-9]{1,24}$/, "is none that was given out");

export const newComponent = z
  .object({
    id: publicId
      .optional()
      .describe("Of the component that it is; left out: the one of this name, or a new one."),
    name: neededText(80).describe("For the public."),
    about: localText(300).prefault({}),
    mode: z
      .enum(COMPONENT_MODES)
      .describe("auto: what is measured; manual: what the team says; both: the worse of the two."),
    targets: z.array(componentTarget).max(50),
  })
  .refine(({ mode, targets }) => mode === "manual" || targets.length > 0, {
    message: "must name a target at least, unless the mode is manual",
    path: ["targets"],
  })
  .meta({ id: "NewStatusComponent" });

const slug = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, "must be of a–z, 0–9 and dashes within, like my-app");

/** A link that strangers click: nothing but a web address. */
const homeUrl = z
  .url({
    protocol: /^https?$/,
    hostname: z.regexes.hostname,
    error: "must be an address like https://example.com",
  })
  .max(300);

export const statusPageChange = z
  .object({
    slug,
    isPublic: z.boolean(),
    isIndexed: z.boolean().default(false).describe("Search engines may list it."),
    showsVolumes: z.boolean().default(false).describe("Says how many calls it rests on."),
    name: neededText(80),
    about: localText(600).prefault({}),
    homeUrl: homeUrl.nullable().default(null).describe("Where its name leads."),
    components: z.array(newComponent).max(60).describe("All of them, in order. Those left out are removed."),
  })
  .meta({ id: "StatusPageChange" });

const shownText = z.object({ en: z.string(), zh: z.string() });

export const statusComponentRecord = z
  .object({
    id: z.string(),
    name: shownText,
    about: shownText,
    mode: z.enum(COMPONENT_MODES),
    targets: z.array(componentTarget),
    stated: z
      .object({ state: z.enum(STATUS_WORDS), since: instant })
      .nullable()
      .describe("What the team says; null: nothing."),
  })
  .meta({ id: "StatusComponent" });

export const statusPageAnswer = z
  .object({
    page: z
      .object({
        slug: z.string(),
        isPublic: z.boolean(),
        isIndexed: z.boolean(),
        showsVolumes: z.boolean(),
        name: shownText,
        about: shownText,
        homeUrl: z.string().nullable(),
        url: z.string().describe("Where it is when it is public."),
        isSaved: z.boolean().describe("false: nothing was saved yet, these are suggestions."),
      })
      .meta({ id: "StatusPage" }),
    components: z.array(statusComponentRecord),
    suggestions: z
      .array(z.object({ name: z.string(), targets: z.array(componentTarget) }))
      .describe("Models that no component stands for, most calls first."),
  })
  .meta({ id: "StatusPageSettings" });

export const componentWord = z
  .object({ state: z.enum(STATUS_WORDS).nullable().describe("null: nothing is said any more.") })
  .meta({ id: "StatusComponentWord" });

const noteState = z.enum([...INCIDENT_STATES, ...MAINTENANCE_STATES]);
const components = z.array(publicId).max(60).describe("Ids of components that it touches.");
const time = z.iso.datetime({ offset: true });
const body = neededText(4_000);

export const newNote = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("incident"),
      title: neededText(150),
      impact: z.enum(IMPACTS).default("minor"),
      components: components.default([]),
      startsAt: time.optional().describe("Now when left out."),
      state: z.enum(INCIDENT_STATES).default("investigating"),
      body,
    }),
    z
      .object({
        kind: z.literal("maintenance"),
        title: neededText(150),
        components: components.default([]),
        startsAt: time,
        endsAt: time,
        body,
      })
      .refine(({ startsAt, endsAt }) => Date.parse(startsAt) < Date.parse(endsAt), {
        message: "must be after startsAt",
        path: ["endsAt"],
      }),
  ])
  .meta({ id: "NewStatusNote" });

export const noteChange = z
  .object({
    title: neededText(150).optional(),
    impact: z.enum(IMPACTS).optional().describe("Of an incident."),
    components: components.optional(),
    startsAt: time.optional(),
    endsAt: time.optional().describe("Of a maintenance."),
  })
  .meta({ id: "StatusNoteChange" });

export const newUpdate = z.object({ state: noteState, body }).meta({ id: "NewStatusUpdate" });
export const updateChange = z.object({ body }).meta({ id: "StatusUpdateChange" });

export const noteRecord = z
  .object({
    id: z.string(),
    kind: z.enum(["incident", "maintenance"]),
    title: shownText,
    impact: z.enum(IMPACTS),
    components: z.array(z.string()),
    state: noteState.describe(
      "Now: a maintenance begins and ends by its times, unless it was said otherwise.",
    ),
    startsAt: instant,
    endsAt: instant.nullable(),
    createdAt: instant,
    updates: z
      .array(z.object({ id: z.string(), state: noteState, body: shownText, at: instant }))
      .describe("Newest first."),
  })
  .meta({ id: "StatusNote" });

export const notesAnswer = z
  .object({ notes: z.array(noteRecord).describe("Newest first, at most 200.") })
  .meta({ id: "StatusNotes" });

export type LocalText = z.infer<typeof shownText>;
export type ComponentMode = (typeof COMPONENT_MODES)[number];
export type ComponentTarget = z.infer<typeof componentTarget>;
export type StatusPageChange = z.output<typeof statusPageChange>;
export type NewComponent = z.output<typeof newComponent>;
export type StatusComponentRecord = z.infer<typeof statusComponentRecord>;
export type StatusPageAnswer = z.infer<typeof statusPageAnswer>;
export type NewNote = z.output<typeof newNote>;
export type NoteChange = z.output<typeof noteChange>;
export type NewUpdate = z.output<typeof newUpdate>;
export type NoteRecord = z.infer<typeof noteRecord>;
export type NoteState = z.infer<typeof noteState>;
export type Impact = (typeof IMPACTS)[number];
