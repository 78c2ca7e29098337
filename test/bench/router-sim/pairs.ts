import { type Figures, mean, standardError } from "./measure.ts";
import type { OutageFigures, StormFigures } from "./scenarios.ts";

/** A figure of two policies on the same seeds: the first one's less the other's. */
export interface Pair {
  readonly name: string;
  readonly difference: number;
  /** Standard error of it. */
  readonly error: number;
  /** Seeds in which it was lower, and higher. */
  readonly better: number;
  readonly worse: number;
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

export function comparePairs(own: readonly Figures[], other: readonly Figures[]): Pair[] {
  return COMPARED.map((name) => {
    const differences = own.map((figures, i) => figures[name] - (other[i]?.[name] ?? Number.NaN));
    return {
      name,
      difference: mean(differences),
      error: standardError(differences),
      better: differences.filter((one) => one < 0).length,
      worse: differences.filter((one) => one > 0).length,
    };
  });
}

export interface Verdict {
  readonly what: string;
  readonly value: string;
  readonly want: string;
  readonly isMet: boolean;
}

interface Measured {
  readonly mixed: Readonly<Record<string, Figures>> | undefined;
  readonly published: {
    readonly success: number;
    readonly firstShare: number;
    readonly firstTierShare: number;
  };
  readonly pairs: readonly Pair[];
  readonly outage: Readonly<Record<string, OutageFigures>>;
  readonly storms: Readonly<Record<string, Readonly<Record<string, StormFigures>>>>;
}

/** What is promised, beside what was measured. */
export function judgeAll({ mixed, published, pairs, outage, storms }: Measured): Verdict[] {
  const verdicts: Verdict[] = [];
  const add = (what: string, value: number, digits: number, want: string, isMet: boolean) =>
    verdicts.push({ what, value: value.toFixed(digits), want, isMet });
  const own = mixed?.["busyhour"];
  const plain = mixed?.["ordered fallback"];
  const difference = (name: string) => pairs.find((pair) => pair.name === name)?.difference ?? Number.NaN;
  if (own !== undefined && plain !== undefined) {
    for (const key of ["success", "firstShare", "firstTierShare"] as const) {
      const points = 100 * (plain[key] - published[key]);
      add(`ordered fallback as published: ${key}, points apart`, points, 2, "± 0.5", Math.abs(points) <= 0.5);
    }
    const lost = -100 * difference("success");
    add("success given up, points", lost, 3, "≤ 0.05", lost <= 0.05);
    add("p99 against it, s", difference("p99"), 2, "≤ 0", difference("p99") <= 0);
    add("attempts per request", own.attemptsPerRequest, 3, "≤ 1.10", own.attemptsPerRequest <= 1.1);
    const toDown = own.callsToDown / plain.callsToDown;
    add("calls to a target that is down, part of its", toDown, 3, "≤ 0.2", toDown <= 0.2);
    const share = -100 * difference("firstShare");
    add("share of the first model given up, points", share, 2, "≤ 3", share <= 3);
    const tier = -100 * difference("firstTierShare");
    add("share of the first tier given up, points", tier, 2, "≤ 3", tier <= 3);
  }
  const down = outage["busyhour"]?.attemptsPerRequest ?? Number.NaN;
  add("attempts per request while everything is down", down, 3, "≤ 1.15", down <= 1.15);
  for (const [kind, figures] of Object.entries(storms)) {
    const seconds = figures["busyhour"]?.recoveryS ?? Number.NaN;
    add(`back above 95 % after the slowness, ${kind}, s`, seconds, 0, "≤ 30", seconds <= 30);
    const naive = figures["five immediate retries"]?.recoveryS ?? Number.NaN;
    add(`naive retries never are, ${kind}, s`, naive, 0, "≥ 1380", naive >= 1_380);
  }
  return verdicts;
}
