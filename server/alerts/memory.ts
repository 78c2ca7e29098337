import type { AlertRuleInput } from "../contract/alert-rule.ts";
import { type Counting, countedKey, countingOf } from "./counting.ts";
import { createDetector } from "./detect/detector.ts";
import { type Life, NEW_LIFE } from "./detect/life.ts";
import type { Detector, DetectorState } from "./detect/types.ts";
import type { Subject } from "./subject.ts";

/** A rule as it is judged. */
export interface Rule extends AlertRuleInput {
  readonly id: number;
}

/** What a rule remembers of one of its groups. */
export interface GroupMemory {
  readonly subject: Subject;
  readonly state: DetectorState;
  readonly life: Life;
  /** Start of the last slot with events. */
  readonly seenMs: number;
}

/** A rule with all that it remembers; lives as long as the rule counts the same. */
export interface RuleMemory {
  /** The parts of the rule that the memory is of. */
  readonly madeOf: string;
  readonly counting: Counting;
  readonly countedKey: string;
  readonly detector: Detector;
  readonly groups: Map<string, GroupMemory>;
  /** Slots before it are in what is stored. */
  storedToMs: number;
}

/** What a rule's memory depends on: another of these parts, and it begins anew. */
export function madeOf({ measure, condition, where, groupBy }: AlertRuleInput): string {
  return JSON.stringify(sortKeys({ measure, condition, where, groupBy }));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}

export function createMemory(rule: AlertRuleInput): RuleMemory {
  const counting = countingOf(rule);
  return {
    madeOf: madeOf(rule),
    counting,
    countedKey: countedKey(counting, rule),
    detector: createDetector(rule.condition),
    groups: new Map(),
    storedToMs: Number.NEGATIVE_INFINITY,
  };
}

/** As it is stored: short, and without what is not remembered yet. */
type StoredGroup = readonly [Subject, DetectorState, Life | null, number];
export type StoredGroups = Readonly<Record<string, StoredGroup>>;

export function toStored(memory: RuleMemory): StoredGroups {
  return Object.fromEntries(
    [...memory.groups].map(([key, { subject, state, life, seenMs }]): [string, StoredGroup] => [
      key,
      [subject, state, life === NEW_LIFE ? null : life, seenMs],
    ]),
  );
}

export function fillFromStored(memory: RuleMemory, groups: StoredGroups): void {
  for (const [key, [subject, state, life, seenMs]] of Object.entries(groups)) {
    memory.groups.set(key, { subject, state, life: life ?? NEW_LIFE, seenMs });
  }
}
