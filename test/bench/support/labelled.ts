import type { Classification, Failure } from "@busyhour/sdk";
import { OUTCOME_TRAITS, type Outcome } from "@busyhour/sdk";

/** One failure with the names that people gave it. */
export interface LabelledRow {
  readonly id: string;
  readonly failure: Failure;
  /** The best name first, then others that are fair too. */
  readonly labels: readonly string[];
  /** `null` where people did not agree. */
  readonly isRetryable: boolean | null;
  readonly waitMs: number | null;
}

/** A row of a labelled file; throws with what is wrong with it. */
export function parseRow(line: string): LabelledRow {
  const row = JSON.parse(line);
  if (typeof row.label !== "string") throw new Error('has no "label"');
  return {
    id: String(row.id ?? ""),
    failure: {
      status: row.status ?? undefined,
      headers: row.headers ?? undefined,
      body: row.body ?? undefined,
      exception: row.exception ?? undefined,
      provider: row.provider ?? undefined,
    },
    labels: [row.label, row.alt_label ?? []].flat().map((label: string) => label.toLowerCase()),
    isRetryable: row.retryable ?? null,
    waitMs: row.retry_after_ms ?? null,
  };
}

/** How a row was judged, and in what the judgement is wrong. */
export interface Judged {
  readonly row: LabelledRow;
  readonly verdict: Classification;
  readonly isNamed: boolean;
  readonly isBest: boolean;
  /** `null` where people did not agree. */
  readonly isRetryRight: boolean | null;
  readonly isWaitRight: boolean;
  /** A hard failure that is called capacity: its call would be repeated in vain. */
  readonly isHardAsCapacity: boolean;
  /** Capacity that is called hard: its call would be given up although it may succeed. */
  readonly isCapacityAsHard: boolean;
}

export function judge(row: LabelledRow, verdict: Classification): Judged {
  const isHard = (outcome: string) => OUTCOME_TRAITS[outcome as Outcome]?.severity === "hard";
  const isNamed = row.labels.includes(verdict.outcome);
  const [best = ""] = row.labels;
  return {
    row,
    verdict,
    isNamed,
    isBest: best === verdict.outcome,
    isRetryRight: row.isRetryable === null ? null : row.isRetryable === verdict.retryable,
    isWaitRight: row.waitMs === verdict.retryAfterMs,
    isHardAsCapacity: !isNamed && isHard(best) && verdict.outcome === "capacity",
    isCapacityAsHard: !isNamed && best === "capacity" && isHard(verdict.outcome),
  };
}
