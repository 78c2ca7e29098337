import type { StatusLevel, StatusState } from "../contract/status.ts";
import { INCIDENT_STATES, MAINTENANCE_STATES } from "../contract/status.ts";
import type {
  Indicator,
  StatuspageComponent,
  StatuspageIncident,
  StatuspageMaintenance,
  StatuspageSummary,
} from "../contract/statuspage.ts";
import { isTrouble, STATE_OF_LEVEL } from "./component-state.ts";
import type { Spell } from "./measure/spells.ts";
import { judgeNote, type Note, type NoteUpdate } from "./notes/note-life.ts";
import type { ComponentSnapshot, PageSnapshot } from "./snapshot.ts";
import { lastChangeMs, makeHeadline, nameOf } from "./view.ts";
import { type Language, pick, type StatusWords, wordsOf } from "./words/words.ts";

const MOST_EVENTS = 50;
const MINUTE_MS = 60_000;

type ComponentStatus = StatuspageComponent["status"];
const STATUS_OF: Readonly<Record<Exclude<StatusState, "noData">, ComponentStatus>> = {
  available: "operational",
  busy: "degraded_performance",
  veryBusy: "partial_outage",
  unavailable: "major_outage",
  maintenance: "under_maintenance",
};
const IMPACT_OF: Readonly<Record<StatusLevel, StatuspageIncident["impact"]>> = {
  available: "none",
  busy: "minor",
  veryBusy: "major",
  unavailable: "critical",
};

const iso = (ms: number) => new Date(ms).toISOString();

export interface StatuspageDocuments {
  readonly summary: StatuspageSummary;
  readonly incidents: readonly StatuspageIncident[];
  readonly maintenances: readonly StatuspageMaintenance[];
}

/** A page in Statuspage's shape: notes of the team, and busy times that were measured, as its incidents. */
export function toStatuspage(snapshot: PageSnapshot, language: Language, url: string): StatuspageDocuments {
  const words = wordsOf(language);
  const pageId = snapshot.slug;
  const components = snapshot.components.map((one, i) => toComponent(one, i, { pageId, language, words }));
  const context: Context = { snapshot, components, language, words, url, pageId };
  const incidents = [
    ...snapshot.notes.filter(({ kind }) => kind === "incident").map((note) => toIncident(note, context)),
    ...snapshot.components.flatMap((component) =>
      component.spells.map((spell) => spellToIncident(spell, component, context)),
    ),
  ].sort((a, b) => b.started_at.localeCompare(a.started_at));
  const maintenances = snapshot.notes
    .filter(({ kind }) => kind === "maintenance")
    .map((note) => toMaintenance(note, context));
  const headline = makeHeadline(snapshot.components, language, words);
  return {
    incidents,
    maintenances,
    summary: {
      page: {
        id: pageId,
        name: nameOf(snapshot.name, language),
        url,
        time_zone: snapshot.timeZone,
        updated_at: iso(lastChangeMs(snapshot)),
      },
      components,
      incidents: incidents.filter(({ status }) => status !== "resolved"),
      scheduled_maintenances: maintenances.filter(({ status }) => status !== "completed"),
      status: { indicator: indicate(snapshot.components), description: headline.text },
    },
  };
}

/** The newest of a list, all that go on included. */
export function newest<T extends { readonly status: string }>(events: readonly T[]): T[] {
  return events.filter(({ status }, i) => i < MOST_EVENTS || !["resolved", "completed"].includes(status));
}

/** `critical` when half and more are unavailable, `major` when one is or half are very busy. */
function indicate(components: readonly ComponentSnapshot[]): Indicator {
  const count = (...states: StatusState[]) =>
    components.filter(({ now }) => states.includes(now.state)).length;
  const half = components.length / 2;
  const unavailable = count("unavailable");
  if (unavailable > 0) return unavailable >= half ? "critical" : "major";
  const veryBusy = count("veryBusy");
  if (veryBusy > 0) return veryBusy >= half ? "major" : "minor";
  return components.some(({ now }) => isTrouble(now)) ? "minor" : "none";
}

/** Statuspage knows no “not enough data”: the last state stands, and the description says so. */
function toComponent(
  { id, name, about, now, createdAtMs, changedAtMs }: ComponentSnapshot,
  position: number,
  { pageId, language, words }: { pageId: string; language: Language; words: StatusWords },
): StatuspageComponent {
  const description = [
    ...(now.state === "noData" ? [words.hint.noData] : []),
    ...(nameOf(about, language) === "" ? [] : [nameOf(about, language)]),
  ].join(" ");
  const state = now.state === "noData" ? STATE_OF_LEVEL[now.level] : now.state;
  return {
    id,
    name: nameOf(name, language),
    status: STATUS_OF[state === undefined || state === "noData" ? "available" : state],
    created_at: iso(createdAtMs),
    updated_at: iso(changedAtMs),
    position: position + 1,
    description: description === "" ? null : description,
    showcase: true,
    start_date: iso(createdAtMs).slice(0, 10),
    group_id: null,
    page_id: pageId,
    group: false,
    only_show_if_degraded: false,
  };
}

interface Context {
  readonly snapshot: PageSnapshot;
  readonly components: readonly StatuspageComponent[];
  readonly language: Language;
  readonly words: StatusWords;
  readonly url: string;
  readonly pageId: string;
}

function common(note: Note, { components, language, url, pageId }: Context) {
  const last = note.updates.at(-1)?.atMs ?? note.createdAtMs;
  return {
    id: note.id,
    name: pick(note.title, language).text,
    created_at: iso(note.createdAtMs),
    updated_at: iso(last),
    shortlink: `${url}#n-${note.id}`,
    started_at: iso(note.startsAtMs),
    page_id: pageId,
    components: components.filter(({ id }) => note.componentIds.includes(id)),
  };
}

function updateParts(id: string, incidentId: string, atMs: number, body: string) {
  return {
    id,
    body,
    incident_id: incidentId,
    created_at: iso(atMs),
    updated_at: iso(atMs),
    display_at: iso(atMs),
    affected_components: null,
    deliver_notifications: true,
    custom_tweet: null,
    tweet_id: null,
  };
}

const toUpdates = <State extends string>(note: Note, states: readonly State[], language: Language) =>
  [...note.updates].reverse().flatMap(({ id, state, body, atMs }: NoteUpdate) => {
    const status = states.find((one) => one === state);
    return status === undefined
      ? []
      : [{ ...updateParts(id, note.id, atMs, pick(body, language).text), status }];
  });

function toIncident(note: Note, context: Context): StatuspageIncident {
  const { state, overAtMs } = judgeNote(note, context.snapshot.asOfMs);
  const monitoring = note.updates.find((update) => update.state === "monitoring");
  return {
    ...common(note, context),
    status: INCIDENT_STATES.find((one) => one === state) ?? "investigating",
    impact: note.impact,
    monitoring_at: monitoring === undefined ? null : iso(monitoring.atMs),
    resolved_at: overAtMs === null ? null : iso(overAtMs),
    incident_updates: toUpdates(note, INCIDENT_STATES, context.language),
  };
}

function toMaintenance(note: Note, context: Context): StatuspageMaintenance {
  const { state, overAtMs } = judgeNote(note, context.snapshot.asOfMs);
  return {
    ...common(note, context),
    status: MAINTENANCE_STATES.find((one) => one === state) ?? "scheduled",
    impact: "maintenance",
    monitoring_at: null,
    resolved_at: overAtMs === null ? null : iso(overAtMs),
    scheduled_for: iso(note.startsAtMs),
    scheduled_until: iso(note.endsAtMs ?? note.startsAtMs),
    incident_updates: toUpdates(note, MAINTENANCE_STATES, context.language),
  };
}

function spellToIncident(spell: Spell, component: ComponentSnapshot, context: Context): StatuspageIncident {
  const { id, fromMs, toMs, isOpen, level } = spell;
  const { words, language, url, pageId, components } = context;
  const state = (STATE_OF_LEVEL[level] ?? "busy") as StatusLevel;
  const duration = words.duration(Math.round((toMs - fromMs) / MINUTE_MS));
  const opened = {
    ...updateParts(`${id}o`, id, fromMs, words.spell.open(words.hint[state])),
    status: "investigating" as const,
  };
  const closed = {
    ...updateParts(`${id}c`, id, toMs, words.spell.over(duration)),
    status: "resolved" as const,
  };
  return {
    id,
    name: words.spell.title(nameOf(component.name, language), words.was[state]),
    status: isOpen ? "investigating" : "resolved",
    impact: IMPACT_OF[state],
    created_at: iso(fromMs),
    updated_at: iso(isOpen ? fromMs : toMs),
    monitoring_at: null,
    resolved_at: isOpen ? null : iso(toMs),
    shortlink: `${url}#s-${id}`,
    started_at: iso(fromMs),
    page_id: pageId,
    components: components.filter((one) => one.id === component.id),
    incident_updates: isOpen ? [opened] : [closed, opened],
  };
}
