import { OUTCOME_TRAITS, OUTCOMES, type Outcome } from "@busyhour/sdk";

/**
 * The one definition of a share that every screen, rule and export uses.
 *
 * The share of an outcome is k / n. k counts the outcome. n counts all attempts (or requests) but the cancelled
 * ones and the caller's own faults, since those say nothing about the provider's room; for the share of one of
 * these, n counts them as well.
 *
 * @see docs/formulas.md#share
 */
export interface ShareDefinition {
  readonly outcome: Outcome;
  /** Stored numbers of the outcomes in k. */
  readonly inK: readonly number[];
  /** Stored numbers of the outcomes in n. */
  readonly inN: readonly number[];
}

export function defineShare(outcome: Outcome): ShareDefinition {
  const { isCounted } = OUTCOME_TRAITS[outcome];
  const belongs = (other: Outcome) =>
    OUTCOME_TRAITS[other].isCounted || (!isCounted && other !== "cancelled");
  return {
    outcome,
    inK: [OUTCOMES.indexOf(outcome)],
    inN: OUTCOMES.flatMap((other, code) => (belongs(other) || other === outcome ? [code] : [])),
  };
}

/** k and n of a share, from counts by outcome. */
export function countShare(
  counts: Readonly<Partial<Record<Outcome, number>>>,
  outcome: Outcome,
): { k: number; n: number } {
  const share = defineShare(outcome);
  const sum = (codes: readonly number[]) =>
    codes.reduce((total, code) => total + (counts[OUTCOMES[code] as Outcome] ?? 0), 0);
  return { k: sum(share.inK), n: sum(share.inN) };
}
