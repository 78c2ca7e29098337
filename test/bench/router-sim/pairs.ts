import { type Figures, mean, standardError } from "./measure.ts";

/** A figure of two policies on the same seeds: the first one's less the other's. */
export interface Pair {
  readonly name: PairName;
  readonly difference: number;
  /** Standard error of it. */
  readonly error: number;
  /** Seeds in which it was lower, and higher. */
  readonly lower: number;
  readonly higher: number;
}

const COMPARED = [
  "success",
  "attemptsPerRequest",
  "p95",
  "p99",
  "firstShare",
  "firstTierShare",
  "quality",
] as const;
export type PairName = (typeof COMPARED)[number];

export function comparePairs(own: readonly Figures[], other: readonly Figures[]): Pair[] {
  return COMPARED.map((name) => {
    const differences = own.map((figures, i) => figures[name] - (other[i]?.[name] ?? Number.NaN));
    return {
      name,
      difference: mean(differences),
      error: standardError(differences),
      lower: differences.filter((one) => one < 0).length,
      higher: differences.filter((one) => one > 0).length,
    };
  });
}
