import type { Outcome } from "../outcome.ts";
import type { FailureScope } from "./classification.ts";

/**
 * What makes one rule apply, as plain data that also travels as JSON: one of its codes or one of its phrases is
 * found, and `status`, `also` and `unless` agree. A rule without code and text applies by its status alone.
 */
export interface RuleWords {
  /** Codes, types, reasons and class names, whole, in any case, parted by spaces: `slow_down`, `limit=0`. */
  readonly code?: string;
  /**
   * Phrases in whole words, parted by ` | `: `word*` is a beginning of a word, `a/b` either word, ` .. ` a gap
   * within one sentence. Codes are read as words too, after everything that was said.
   */
  readonly text?: string;
  /** Phrases of which one must be found besides, anywhere in the failure, its codes included. */
  readonly also?: string;
  /** Phrases of which none may be found anywhere. */
  readonly unless?: string;
  /** HTTP statuses, parted by spaces: `429 5xx`. */
  readonly status?: string;
  /** Whether the same call may be sent again; `"wait"`: only when a wait of a day at most is stated. */
  readonly retryable?: boolean | "wait";
  readonly scope?: FailureScope;
  readonly switchHelps?: boolean;
}

/** A rule of one's own. */
export interface Rule extends RuleWords {
  /** Who says it and what it means: `our-proxy/nap`. */
  readonly id: string;
  readonly outcome: Outcome;
  /** Why it means that, in a few words for a person. */
  readonly because: string;
}

/**
 * One provider's rules, most telling first. A key is the outcome, with `:name` where a provider has several
 * rules of one outcome; `openai` and `quota` make the id `openai/quota`.
 */
export type RuleTable = Readonly<Partial<Record<Outcome | `${Outcome}:${string}`, RuleWords>>> & {
  /** Parts of names by which the provider goes; what another known provider says is then left alone. */
  readonly names?: string;
  /** Whether the rules are believed only when the provider is known by such a name. */
  readonly isNameNeeded?: boolean;
  /** The field that holds codes that are bare numbers; `code` when left out. */
  readonly field?: string;
};
