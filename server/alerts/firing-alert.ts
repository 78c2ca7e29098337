import type { Outcome } from "@busyhour/sdk";
import { type RuleGroup, SEVERITIES, type Severity } from "../contract/alert-rule.ts";
import type { Counting } from "./counting.ts";
import type { Subject } from "./subject.ts";

/** What an alert says of how bad it is. */
export interface Figures {
  readonly k: number;
  readonly n: number;
  readonly value: number | null;
  readonly usual: number | null;
}

export interface Muted {
  readonly by: "silence" | "maintenance";
  readonly id: number;
  readonly untilMs: number;
}

/** What people are told beyond the counts. */
export interface Explanation {
  readonly cause: { readonly code: string; readonly params: Record<string, string | number> } | null;
  readonly order: readonly string[] | null;
}

/** An alert that is not over: as its row says, and as a run changes it. */
export interface FiringAlert {
  /** `null`: not stored yet. */
  id: number | null;
  readonly ruleId: number;
  ruleName: string;
  severity: Severity;
  readonly groupBy: RuleGroup;
  readonly groupKey: string;
  /** Of its group; wider once it stands for a whole provider. */
  subject: Subject;
  readonly of: Counting["of"];
  readonly outcomes: readonly Outcome[];
  /** `null`: every channel that takes its severity. */
  channels: readonly number[] | null;
  remindHours: number | null;
  /** Of its own group. */
  own: Figures;
  /** As it is told: of all that it stands for. */
  figures: Figures;
  peak: number | null;
  sinceMs: number;
  readonly firedMs: number;
  toldMs: number | null;
  toldAgainMs: number | null;
  seenMs: number;
  endedMs: number | null;
  acknowledgedMs: number | null;
  muted: Muted | null;
  foldedUnder: FiringAlert | null;
  explanation: Explanation;
  /** Whether its own group is in trouble; else it goes on for those that are folded under it. */
  isOn: boolean;
  /** Since when its own group is not; while it is, without meaning. */
  offMs: number;
  /** It is clear, but not for long enough to be over. */
  isEasing: boolean;
  /** It came to stand for more in this run. */
  isWidened: boolean;
}

export const countsSame = (a: FiringAlert, b: FiringAlert): boolean =>
  a.of === b.of && a.outcomes.length === b.outcomes.length && a.outcomes.every((o, i) => o === b.outcomes[i]);

/** 0 is the most severe. */
export const rankOf = (severity: Severity): number => SEVERITIES.indexOf(severity);

export const listFolded = (alerts: readonly FiringAlert[], under: FiringAlert): FiringAlert[] =>
  alerts.filter(({ foldedUnder }) => foldedUnder === under);

/** Whether it stands for a provider, although its rule tells models apart. */
export function isWide({ groupBy, subject }: FiringAlert): boolean {
  return (groupBy === "target" || groupBy === "model") && subject.model === undefined;
}
