import type { Outcome } from "../outcome.ts";
import type { FailureScope } from "./classification.ts";

/**
 * One rule, as plain data that also travels as JSON. It applies when one of its codes or one of its phrases is
 * found, and `status`, `also`, `unless` and `provider` agree. Alternatives are parted by ` | `.
 */
export interface Rule {
  /** Who says it and what it means: `openai/insufficient-quota`. */
  readonly id: string;
  readonly outcome: Outcome;
  /** Why it means that, in a few words for a person. */
  readonly because: string;
  /** Codes, types, reasons, class names, whole and in any case; `key=value` where a bare value says too little. */
  readonly code?: string;
  /** Phrases in whole words; `word*` is a beginning of a word, ` .. ` a gap within one sentence. */
  readonly text?: string;
  /** Phrases of which one must be found besides, anywhere in the failure, its codes included. */
  readonly also?: string;
  /** Phrases of which none may be found anywhere. */
  readonly unless?: string;
  /** HTTP statuses: `429`, or `5xx`. */
  readonly status?: string;
  /** Names of providers whose codes these are: what another known provider says is left alone. */
  readonly provider?: string;
  /** Whether the same call may be sent again; `"wait"`: only when a wait of a day at most is stated. */
  readonly retryable?: boolean | "wait";
  readonly scope?: FailureScope;
  readonly switchHelps?: boolean;
}
