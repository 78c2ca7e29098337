import type { RuleGroup, RuleMatcher } from "../contract/alert-rule.ts";

/** Whose calls a series has, and what alerts are about; an absent part means all. */
export interface Subject {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly source?: string | undefined;
  readonly chain?: string | undefined;
}

export type SubjectPart = keyof Subject;

export const SUBJECT_PARTS = ["provider", "model", "endpoint", "source", "chain"] as const;

/** The parts that tell a rule's groups apart. A model is one of a provider: names come twice. */
export const GROUP_PARTS = {
  target: ["provider", "model", "endpoint"],
  model: ["provider", "model"],
  provider: ["provider"],
  source: ["source"],
  chain: ["chain"],
  all: [],
} as const satisfies Record<RuleGroup, readonly SubjectPart[]>;

/** Whether `name` has every part that `where` names, and as it names it. */
export function covers(where: Subject, name: Subject): boolean {
  return SUBJECT_PARTS.every((part) => where[part] === undefined || where[part] === name[part]);
}

export function isSameSubject(a: Subject, b: Subject): boolean {
  return SUBJECT_PARTS.every((part) => a[part] === b[part]);
}

export interface Group {
  /** Tells the groups of one rule apart. */
  readonly key: string;
  readonly subject: Subject;
}

/**
 * The group of a rule that a series belongs to.
 *
 * @returns `null`: the rule is not about it
 */
export function groupOf(
  series: Subject,
  { where, groupBy }: { readonly where: RuleMatcher; readonly groupBy: RuleGroup },
): Group | null {
  if (!covers(where, series)) return null;
  const parts = GROUP_PARTS[groupBy];
  // Calls that go through no chain are no chain's.
  if (groupBy === "chain" && series.chain === "") return null;
  const values = parts.map((part) => series[part] ?? "");
  const own = Object.fromEntries(parts.map((part, i) => [part, values[i]]));
  return { key: JSON.stringify([groupBy, ...values]), subject: { ...where, ...own } };
}

/** What a group's key says of it: its subject without what its rule asks for beside. */
export function subjectOfKey(key: string): Subject {
  const [groupBy, ...values] = JSON.parse(key) as [RuleGroup, ...string[]];
  return Object.fromEntries(GROUP_PARTS[groupBy].map((part, i) => [part, values[i]]));
}
