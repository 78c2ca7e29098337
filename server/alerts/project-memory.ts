import type { ISql } from "../../db/connect.ts";
import { floorTo, HOUR_MS, MINUTE_MS, minutesKeptFrom } from "../rollup/levels.ts";
import { NEW_LIFE } from "./detect/life.ts";
import { SLOT_MS } from "./detect/types.ts";
import { learnSlots } from "./judge-rule.ts";
import { createMemory, fillFromStored, madeOf, type Rule, type RuleMemory, toStored } from "./memory.ts";
import { type GroupSlots, listGroupSlots, listSeriesSlots } from "./slot-queries.ts";
import { createSlotTable } from "./slot-table.ts";
import {
  deleteOtherStates,
  type JudgedProject,
  listStates,
  type PendingRow,
  type Run,
  saveRun,
  saveState,
} from "./state-queries.ts";
import { groupOf, type Subject } from "./subject.ts";
import type { CountedFinding } from "./take-findings.ts";
import { createUsualFinder, hourOfWeekAt, type UsualFinder, usualAt } from "./usual-at.ts";
import { findUsualMadeMs, readUsual } from "./usual-job.ts";

/** What a project's rules remember, as this server has it in memory. */
export interface ProjectMemory {
  /** Of the run that it was stored by. */
  revision: number;
  /** Slots before it are learnt. */
  closedToMs: number;
  readonly rules: Map<number, RuleMemory>;
  readonly usual: UsualFinder;
  /** Rules whose memory is not stored yet. */
  readonly changed: Set<number>;
  /** Something is stored of a rule that is switched off: once it is on again, that would be out of date. */
  hasLeftovers: boolean;
}

interface Situation {
  readonly project: JudgedProject;
  readonly run: Run;
  readonly rules: readonly Rule[];
  readonly known: ProjectMemory | undefined;
  readonly nowMs: number;
}

/** After so long a rest slots are read in bulk, as a new rule's are. */
const LONG_REST_MS = 6 * HOUR_MS;

/**
 * What rules remember up to the run's closed slots: this server's own memory where nobody else was at it, else what was
 * stored. Rules that are new, or count something else than before, learn from the slots that they look back on.
 */
export async function bringUpToDate(tx: ISql, situation: Situation): Promise<ProjectMemory> {
  const { project, run, rules, known, nowMs } = situation;
  const madeMs = await findUsualMadeMs(tx, project.id);
  const usual =
    known !== undefined && known.usual.madeMs === madeMs
      ? known.usual
      : createUsualFinder(madeMs === null ? null : await readUsual(tx, project, madeMs));
  const memory =
    known?.revision === run.revision ? { ...known, usual } : await readMemory(tx, situation, usual);
  // A rest that was long is caught up with in bulk, as a new rule is.
  const closedToMs = floorTo(nowMs, SLOT_MS) - SLOT_MS;
  const isRested = closedToMs - memory.closedToMs > LONG_REST_MS;
  if (isRested) memory.closedToMs = closedToMs - LONG_REST_MS;
  const read = createSlotReader(tx, situation, memory.closedToMs);
  const ids = new Set(rules.map(({ id }) => id));
  for (const id of memory.rules.keys()) {
    if (!ids.has(id)) memory.hasLeftovers = memory.rules.delete(id);
  }
  for (const rule of rules) {
    const old = memory.rules.get(rule.id);
    if (old !== undefined && old.madeOf === madeOf(rule) && !isRested) continue;
    memory.rules.set(rule.id, await learnRule(read, situation, rule, memory, old));
    memory.changed.add(rule.id);
  }
  return memory;
}

/** What is stored, and what closed since then. */
async function readMemory(
  tx: ISql,
  { project, run, rules }: Situation,
  usual: UsualFinder,
): Promise<ProjectMemory> {
  const stored = new Map((await listStates(tx, project.id)).map((row) => [row.ruleId, row]));
  const memories = new Map<number, RuleMemory>();
  for (const rule of rules) {
    const row = stored.get(rule.id);
    if (row === undefined) continue;
    const memory = { ...createMemory(rule), madeOf: row.madeOf, storedToMs: row.closedTo.getTime() };
    fillFromStored(memory, row.groups);
    memories.set(rule.id, memory);
  }
  const { closedToMs, revision } = run;
  const hasLeftovers = stored.size > memories.size;
  const memory = { revision, closedToMs, rules: memories, usual, changed: new Set<number>(), hasLeftovers };
  const oldestMs = Math.min(closedToMs, ...[...memories.values()].map(({ storedToMs }) => storedToMs));
  if (oldestMs === closedToMs || closedToMs - oldestMs > LONG_REST_MS) return memory;
  const table = createSlotTable(await listSeriesSlots(tx, project.id, oldestMs, closedToMs), closedToMs);
  const usualOf = usualAt(usual, project.timeZone);
  for (const rule of rules) {
    const own = memories.get(rule.id);
    if (own?.madeOf === madeOf(rule)) learnSlots(rule, own, { table, usualOf }, own.storedToMs);
  }
  return memory;
}

type ReadSlots = (rule: Rule, memory: RuleMemory) => Promise<readonly GroupSlots[]>;

/** Reads what a rule looks back on; rules that count the same are told the same, read once. */
function createSlotReader(tx: ISql, { project, nowMs }: Situation, toMs: number): ReadSlots {
  const known = new Map<string, Promise<readonly GroupSlots[]>>();
  return ({ where, groupBy }, { counting, countedKey, detector }) => {
    const keptMs = floorTo(minutesKeptFrom(nowMs), SLOT_MS);
    const fromMs = Math.max(floorTo(toMs - detector.lookbackMs, SLOT_MS), keptMs);
    const key = `${fromMs} ${countedKey}`;
    const slots =
      known.get(key) ?? listGroupSlots(tx, { projectId: project.id, counting, where, groupBy, fromMs, toMs });
    known.set(key, slots);
    return slots;
  };
}

/** A memory made of what is stored; the lives of its groups go on. */
async function learnRule(
  read: ReadSlots,
  { project }: Situation,
  rule: Rule,
  { closedToMs, usual }: ProjectMemory,
  old: RuleMemory | undefined,
): Promise<RuleMemory> {
  const memory = createMemory(rule);
  const { countedKey, detector, groups } = memory;
  const hourOf = hourOfWeekAt(project.timeZone);
  for (const { subject, slots } of await read(rule, memory)) {
    const group = groupOf(subject as Required<Subject>, rule);
    if (group === null) continue;
    let state = detector.start;
    for (const slot of slots) {
      state = detector.advance(state, slot, usual.find(countedKey, group.key, hourOf(slot.startMs)));
    }
    const life = old?.groups.get(group.key)?.life ?? NEW_LIFE;
    groups.set(group.key, {
      subject: group.subject,
      state,
      life,
      seenMs: slots.at(-1)?.startMs ?? closedToMs,
    });
  }
  // What fires goes on until it is found to be over, even where nothing is stored of it any more.
  for (const [key, group] of old?.groups ?? []) {
    if (!groups.has(key) && group.life.phase !== "quiet" && isOf(rule, key)) {
      groups.set(key, { ...group, state: detector.start });
    }
  }
  return memory;
}

function isOf({ groupBy }: Rule, key: string): boolean {
  return (JSON.parse(key) as string[])[0] === groupBy;
}

interface Judged {
  readonly rules: readonly Rule[];
  readonly findings: readonly CountedFinding[];
  readonly closedToMs: number;
}

/** What nobody is told of may be so far behind; a restart learns what is missing from what was counted. */
const BEHIND_MS = 30 * MINUTE_MS;
/** Of what is behind a run stores one part in so many, and one rule at least: rules take turns. */
const STORED_AT_ONCE = 50;

/** Stores what changed and what is long behind; a run that finds neither, and closed nothing, stores nothing. */
export async function saveMemory(
  tx: ISql,
  projectId: number,
  memory: ProjectMemory,
  { findings, closedToMs }: Judged,
): Promise<void> {
  const due = listDue(memory, closedToMs);
  if (due.length === 0 && closedToMs === memory.closedToMs && !memory.hasLeftovers) return;
  if (memory.hasLeftovers) await deleteOtherStates(tx, projectId, [...memory.rules.keys()]);
  memory.hasLeftovers = false;
  const closedTo = new Date(closedToMs);
  await Promise.all(
    due.map(([ruleId, own]) => {
      const groups = JSON.stringify(toStored(own));
      own.storedToMs = closedToMs;
      return saveState(tx, projectId, { ruleId, madeOf: own.madeOf, closedTo, groups });
    }),
  );
  memory.changed.clear();
  memory.revision++;
  memory.closedToMs = closedToMs;
  await saveRun(tx, projectId, memory, listPending(findings));
}

/** Rules to be stored now: those that changed, and of the others a few that are the longest behind. */
function listDue({ rules, changed }: ProjectMemory, closedToMs: number): [number, RuleMemory][] {
  const behind = [...rules]
    .filter(([id, { storedToMs }]) => !changed.has(id) && closedToMs - storedToMs >= BEHIND_MS)
    .sort(([, a], [, b]) => a.storedToMs - b.storedToMs)
    .slice(0, Math.ceil(rules.size / STORED_AT_ONCE));
  return [...[...rules].filter(([id]) => changed.has(id)), ...behind];
}

const MOST_PENDING = 100;

function listPending(findings: readonly CountedFinding[]): PendingRow[] {
  return findings
    .filter(({ life }) => life.phase === "pending")
    .slice(0, MOST_PENDING)
    .map(({ rule, subject, life }) => ({
      ruleId: rule.id,
      ruleName: rule.name,
      severity: rule.severity,
      subject,
      sinceMs: life.sinceMs ?? life.enteredMs,
      firesMs: life.enteredMs + rule.pendingMinutes * MINUTE_MS,
    }));
}
