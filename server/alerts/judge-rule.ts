import { isShare } from "./counting.ts";
import { type Life, lifeSettings, NEW_LIFE, stepLife } from "./detect/life.ts";
import { type DetectorState, type Judgement, SLOT_MS, type Slot, type Usual } from "./detect/types.ts";
import type { GroupMemory, Rule, RuleMemory } from "./memory.ts";
import type { SlotTable } from "./slot-table.ts";
import { groupOf, type Subject } from "./subject.ts";

/** What a rule says of a group in which there is, or just was, trouble. */
export interface Finding {
  readonly rule: Rule;
  readonly groupKey: string;
  readonly subject: Subject;
  readonly life: Life;
  readonly judgement: Judgement;
}

export interface RuleJudgement {
  /** Of groups that hold or fire, and of those that have just stopped to. */
  readonly findings: readonly Finding[];
  /** What was told, or is about to be, changed: it is to be stored. */
  readonly isChanged: boolean;
}

export interface Occasion {
  readonly table: SlotTable;
  readonly usualOf: (countedKey: string, groupKey: string, ms: number) => Usual | null;
  readonly nowMs: number;
}

/** A group that was not called for so long is forgotten. */
const FORGOTTEN_MS = 28 * 24 * 3_600_000;

/**
 * Judges all groups of a rule: closed slots are learnt, open ones only looked at, and each group's life takes one step,
 * however many slots were closed. What began and ended while nobody looked is never told.
 *
 * Changes `memory`.
 */
export function judgeRule(
  rule: Rule,
  memory: RuleMemory,
  { table, usualOf, nowMs }: Occasion,
): RuleJudgement {
  let isChanged = false;
  learnSlots(rule, memory, { table, usualOf });
  const open = collectOpen(rule, memory, table);
  // A group that is called for the first time is remembered from its first call on.
  for (const [key, { subject }] of open) {
    if (!memory.groups.has(key))
      memory.groups.set(key, remember(undefined, subject, memory.detector.start, nowMs));
  }
  const settings = lifeSettings(rule);
  const findings: Finding[] = [];
  for (const [key, known] of memory.groups) {
    const usual = usualOf(memory.countedKey, key, nowMs);
    const judgement = lookAt(memory, key, known.state, open.get(key)?.slots ?? [], { usualOf, nowMs });
    const { life, event } = stepLife(known.life, judgement, settings, nowMs);
    if (!isSameLife(life, known.life)) {
      memory.groups.set(key, { ...known, life });
      isChanged = true;
    }
    if (life.phase !== "quiet" || event !== null) {
      const seen = judgement.usual === null ? withUsual(judgement, memory, usual) : judgement;
      findings.push({ rule, groupKey: key, subject: known.subject, life, judgement: seen });
    } else if (nowMs - known.seenMs > FORGOTTEN_MS) {
      memory.groups.delete(key);
    }
  }
  return { findings, isChanged };
}

/**
 * What the rule says of a group now. A slot that has ended is held against what is usual at its own hour, although it is
 * not closed yet: at noon, the last minutes of a rush until noon are as usual.
 */
function lookAt(
  { detector, countedKey }: RuleMemory,
  key: string,
  known: DetectorState,
  open: readonly Slot[],
  { usualOf, nowMs }: Pick<Occasion, "usualOf" | "nowMs">,
): Judgement {
  let state = known;
  let running: Slot | null = null;
  for (const slot of open) {
    if (slot.startMs + SLOT_MS > nowMs) running = slot;
    else state = detector.advance(state, slot, usualOf(countedKey, key, slot.startMs));
  }
  const atMs = running?.startMs ?? nowMs;
  return detector.judge(state, running, usualOf(countedKey, key, atMs), nowMs);
}

/** Takes closed slots into what a rule remembers. @param fromMs those before it are in it already */
export function learnSlots(
  rule: Rule,
  memory: RuleMemory,
  { table, usualOf }: Pick<Occasion, "table" | "usualOf">,
  fromMs = Number.NEGATIVE_INFINITY,
): void {
  const { detector, groups, countedKey } = memory;
  for (const startMs of table.closed) {
    if (startMs < fromMs) continue;
    for (const [key, { subject, slot }] of sumGroups(rule, memory, table, startMs)) {
      const known = groups.get(key);
      const usual = usualOf(countedKey, key, startMs);
      const state = detector.advance(known?.state ?? detector.start, slot, usual);
      groups.set(key, remember(known, subject, state, startMs));
    }
  }
}

/** Shares are told beside what is usual, whether or not the rule asks for that. */
function withUsual(judgement: Judgement, { counting }: RuleMemory, usual: Usual | null): Judgement {
  return isShare(counting) && usual !== null ? { ...judgement, usual: usual.share } : judgement;
}

function remember(
  known: GroupMemory | undefined,
  subject: Subject,
  state: DetectorState,
  seenMs: number,
): GroupMemory {
  return { subject, state, life: known?.life ?? NEW_LIFE, seenMs };
}

interface SummedGroup {
  readonly subject: Subject;
  readonly slot: { readonly startMs: number; k: number; n: number };
}

/** k and n of a rule's groups in a slot; rules that count the same share them. */
function sumGroups(
  rule: Rule,
  memory: RuleMemory,
  table: SlotTable,
  startMs: number,
): ReadonlyMap<string, SummedGroup> {
  return table.share(`${startMs} ${memory.countedKey}`, () => {
    const sums = new Map<string, SummedGroup>();
    for (const { series, k, n } of table.countsOf(memory.counting, startMs)) {
      const group = groupOf(series, rule);
      if (group === null) continue;
      const sum = sums.get(group.key);
      if (sum === undefined) sums.set(group.key, { subject: group.subject, slot: { startMs, k, n } });
      else {
        sum.slot.k += k;
        sum.slot.n += n;
      }
    }
    return sums;
  });
}

interface OpenGroup {
  readonly subject: Subject;
  readonly slots: readonly Slot[];
}

function collectOpen(rule: Rule, memory: RuleMemory, table: SlotTable): ReadonlyMap<string, OpenGroup> {
  return table.share(`open ${memory.countedKey}`, () => {
    const open = new Map<string, OpenGroup>();
    for (const startMs of table.open) {
      for (const [key, { subject, slot }] of sumGroups(rule, memory, table, startMs)) {
        open.set(key, { subject, slots: [...(open.get(key)?.slots ?? []), slot] });
      }
    }
    return open;
  });
}

function isSameLife(a: Life, b: Life): boolean {
  return (
    a === b ||
    (a.phase === b.phase &&
      a.enteredMs === b.enteredMs &&
      a.sinceMs === b.sinceMs &&
      a.clearSinceMs === b.clearSinceMs &&
      a.toldMs === b.toldMs &&
      a.resolvedMs === b.resolvedMs)
  );
}
