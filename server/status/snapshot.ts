import type { Sql } from "../../db/connect.ts";
import type { Db } from "../../db/drizzle.ts";
import type { ComponentTarget } from "../../db/schema/index.ts";
import type { TargetName } from "../advice/target-history.ts";
import type { ComponentMode, LocalText } from "../contract/status.ts";
import { type EpisodeRow, listEpisodes } from "../episodes/queries.ts";
import type { Quarter } from "../profile/day-hours.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { DAY_MS, floorTo, MINUTE_MS, QUARTER_MS } from "../rollup/levels.ts";
import { type ComponentNow, combineState } from "./component-state.ts";
import type { History, HistoryKeeper } from "./history.ts";
import { followLevel, SLOT_MS, type Slot } from "./measure/follow-level.ts";
import { continueLevels, GAP, judgeQuarters, overlay, type QuarterLevels } from "./measure/quarter-levels.ts";
import { type Spell, toSpells } from "./measure/spells.ts";
import { listSaid, type Note, type SaidWord, saidNow } from "./notes/note-life.ts";
import { listNotes } from "./notes/notes.ts";
import { listTargetSlots, type TargetSlots } from "./queries.ts";
import { type ComponentRow, listComponents, listWords, type PageRow } from "./settings.ts";

export interface ComponentSnapshot {
  readonly id: string;
  readonly name: LocalText;
  readonly about: LocalText;
  readonly mode: ComponentMode;
  readonly createdAtMs: number;
  readonly now: ComponentNow;
  /** When the state or what is said of it last changed. */
  readonly changedAtMs: number;
  /** Of the last 90 days. */
  readonly levels: QuarterLevels;
  /** Newest first. */
  readonly spells: readonly Spell[];
  /** For usual hours; `null`: the team alone speaks. */
  readonly past: readonly Quarter[] | null;
  /** Requests of the last 24 hours. */
  readonly dayCalls: number;
}

/** All that a status page is made of, in no language and no zone. */
export interface PageSnapshot {
  readonly projectId: number;
  readonly slug: string;
  readonly isPublic: boolean;
  readonly isIndexed: boolean;
  readonly showsVolumes: boolean;
  readonly name: LocalText;
  readonly about: LocalText;
  readonly homeUrl: string | null;
  readonly timeZone: string;
  readonly asOfMs: number;
  readonly savedAtMs: number;
  readonly components: readonly ComponentSnapshot[];
  /** Newest first: of the last 90 days, open or planned. */
  readonly notes: readonly Note[];
}

export const SHOWN_MS = 91 * DAY_MS;
/** What arrives a little late still counts; a slot is looked at when it is over for so long. */
const GRACE_MS = MINUTE_MS;
const MOST_EPISODES = 5_000;

export interface SnapshotDeps {
  readonly sql: Sql;
  readonly db: Db;
  readonly history: HistoryKeeper;
}

/** Reads what a page shows now. */
export async function readSnapshot(
  { sql, db, history }: SnapshotDeps,
  page: PageRow,
  owner: ProjectRow,
  nowMs: number,
): Promise<PageSnapshot> {
  const projectId = owner.id;
  const fromMs = floorTo(nowMs, DAY_MS) - SHOWN_MS;
  const recentFromMs = floorTo(nowMs, DAY_MS) - DAY_MS;
  const [components, words, notes] = await Promise.all([
    listComponents(db, projectId),
    listWords(db, projectId),
    listNotes(db, projectId, new Date(fromMs)),
  ]);
  const measured = components.filter(({ mode }) => mode !== "manual");
  const models = [...new Set(measured.flatMap(({ targets }) => targets.map(({ model }) => model)))].sort();
  const [past, recent, episodes] = await Promise.all([
    history.read(projectId, models, nowMs),
    listTargetSlots(
      sql,
      projectId,
      models,
      [{ level: "1m", fromMs: recentFromMs, toMs: nowMs + GRACE_MS }],
      SLOT_MS / 1000,
    ),
    measured.length === 0
      ? []
      : listEpisodes(sql, projectId, {}, { fromMs, toMs: nowMs + GRACE_MS }, MOST_EPISODES),
  ]);
  const parts = { fromMs, recentFromMs, nowMs, past, recent, episodes, words: toWords(words), notes };
  return {
    projectId,
    slug: page.slug,
    isPublic: page.isPublic,
    isIndexed: page.isIndexed,
    showsVolumes: page.showsVolumes,
    name: page.name,
    about: page.about,
    homeUrl: page.homeUrl,
    timeZone: owner.timeZone,
    asOfMs: nowMs,
    savedAtMs: page.updatedAt.getTime(),
    components: components.map((component) => snapshotOf(component, parts)),
    notes,
  };
}

interface Parts {
  readonly fromMs: number;
  readonly recentFromMs: number;
  readonly nowMs: number;
  readonly past: History;
  readonly recent: readonly TargetSlots[];
  readonly episodes: readonly EpisodeRow[];
  readonly words: ReadonlyMap<string, readonly SaidWord[]>;
  readonly notes: readonly Note[];
}

function snapshotOf(component: ComponentRow, parts: Parts): ComponentSnapshot {
  const { fromMs, recentFromMs, nowMs, past, recent, notes } = parts;
  const { id, name, about, mode } = component;
  const isMeasured = mode !== "manual";
  const isOwn = (target: TargetName) => isMeasured && component.targets.some((own) => covers(own, target));
  const slots = addUp(recent.filter(isOwn).map((target) => target.slots));
  const endMs = floorTo(nowMs - GRACE_MS, SLOT_MS);
  const measured = followLevel(
    slots.filter(({ startMs }) => startMs < endMs),
    recentFromMs,
    endMs,
  );
  const words = parts.words.get(id) ?? [];
  const speaks = mode !== "auto";
  const said = speaks ? saidNow(id, words, notes, nowMs) : null;
  const episodes = parts.episodes.filter(isOwn);
  const open = episodes.filter(({ isOpen }) => isOpen);
  const openEpisodeMs = open.length === 0 ? null : Math.min(...open.map((one) => one.fromMs));
  const now = combineState({ mode, measured, openEpisodeMs, said });
  const key = `${fromMs} ${JSON.stringify(component.targets)}`;
  const own = continueLevels(
    past.keep(`levels ${key}`, () =>
      judgeQuarters(addUp(past.failures.filter(isOwn).map((target) => target.slots)), fromMs, past.toMs),
    ),
    judgeQuarters(
      toQuarters(slots).filter(({ startMs }) => startMs >= past.toMs),
      past.toMs,
      nowMs,
    ),
  );
  const base = isMeasured ? own : sinceCreated(own, component.createdAt.getTime());
  const levels = overlay(base, speaks ? listSaid(id, words, notes, nowMs) : []);
  const dayFromMs = nowMs - DAY_MS;
  return {
    id,
    name,
    about,
    mode,
    createdAtMs: component.createdAt.getTime(),
    now,
    changedAtMs: Math.max(component.updatedAt.getTime(), now.sinceMs ?? 0),
    levels,
    spells: toSpells(id, episodes, levels),
    past: isMeasured
      ? past.keep(`calls ${key}`, () => addUp(past.capacity.filter(isOwn).map((target) => target.quarters)))
      : null,
    dayCalls: slots.reduce((sum, { startMs, n }) => (startMs >= dayFromMs ? sum + n : sum), 0),
  };
}

const covers = (own: ComponentTarget, { provider, model, endpoint }: TargetName): boolean =>
  own.provider === provider && own.model === model && (own.endpoint === null || own.endpoint === endpoint);

/** Where the team alone speaks, all was well unless it said otherwise; before there was a component, nothing is known. */
function sinceCreated({ fromMs, levels }: QuarterLevels, createdAtMs: number): QuarterLevels {
  const first = Math.max(0, Math.floor((createdAtMs - fromMs) / QUARTER_MS));
  return { fromMs, levels: Int8Array.from(levels, (_, at) => (at >= first ? 0 : GAP)) };
}

/** Adds slots of several targets up, in order of time. */
function addUp(all: readonly (readonly Slot[])[]): readonly Slot[] {
  const [first, ...others] = all;
  if (first === undefined) return [];
  if (others.length === 0) return first;
  const sums = new Map<number, { startMs: number; k: number; n: number }>();
  for (const { startMs, k, n } of all.flat()) {
    const sum = sums.get(startMs);
    if (sum === undefined) sums.set(startMs, { startMs, k, n });
    else {
      sum.k += k;
      sum.n += n;
    }
  }
  return [...sums.values()].sort((a, b) => a.startMs - b.startMs);
}

function toQuarters(slots: readonly Slot[]): readonly Slot[] {
  return addUp([[], slots.map((slot) => ({ ...slot, startMs: floorTo(slot.startMs, QUARTER_MS) }))]);
}

function toWords(
  rows: readonly { componentId: string; state: SaidWord["word"]; fromAt: Date; toAt: Date | null }[],
): ReadonlyMap<string, readonly SaidWord[]> {
  const words = new Map<string, SaidWord[]>();
  for (const { componentId, state, fromAt, toAt } of rows) {
    const own = words.get(componentId) ?? [];
    own.push({ word: state, fromMs: fromAt.getTime(), toMs: toAt?.getTime() ?? null });
    words.set(componentId, own);
  }
  return words;
}
