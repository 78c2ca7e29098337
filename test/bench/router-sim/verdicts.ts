import { type DayName, NAIVE, OURS, PLAIN } from "./contest.ts";
import type { PairName } from "./pairs.ts";
import { MODEL_LOSES, PUBLISHED } from "./published.ts";
import type { Contest } from "./run-contest.ts";
import { NEVER_S } from "./scenarios.ts";

export interface Verdict {
  readonly what: string;
  readonly value: string;
  readonly want: string;
  readonly isMet: boolean;
}

/** What is promised, beside what was measured. */
export function judgeAll(contest: Contest): Verdict[] {
  return [...judgeWorld(contest), ...judgeDays(contest), ...judgeTrouble(contest)];
}

const verdict = (what: string, value: number, digits: number, want: string, isMet: boolean): Verdict => ({
  what,
  value: value.toFixed(digits),
  want,
  isMet,
});

function judgeWorld({ published }: Contest): Verdict[] {
  return (["success", "firstShare", "firstTierShare"] as const).map((key) => {
    const points = 100 * (published[key] - PUBLISHED[key]);
    const what = `ordered fallback as published: ${key}, points apart`;
    return verdict(what, points, 2, "± 0.5", Math.abs(points) <= 0.5);
  });
}

function judgeDays({ days, pairs }: Contest): Verdict[] {
  const verdicts: Verdict[] = [];
  const own = days.mixed?.[OURS];
  const plain = days.mixed?.[PLAIN];
  const difference = (day: DayName, name: PairName) =>
    pairs[day]?.find((pair) => pair.name === name)?.difference ?? Number.NaN;
  if (own !== undefined && plain !== undefined) {
    const lost = -100 * difference("mixed", "success");
    const p99 = difference("mixed", "p99");
    const toDown = own.callsToDown / plain.callsToDown;
    const share = -100 * difference("mixed", "firstShare");
    const tier = -100 * difference("mixed", "firstTierShare");
    verdicts.push(
      verdict("success given up, points", lost, 3, "≤ 0.05", lost <= 0.05),
      verdict("p99 against it, s", p99, 2, "≤ 0", p99 <= 0),
      verdict("attempts per request", own.attemptsPerRequest, 3, "≤ 1.10", own.attemptsPerRequest <= 1.1),
      verdict("calls to a target that is down, part of its", toDown, 3, "≤ 0.2", toDown <= 0.2),
      verdict("share of the first model given up, points", share, 2, "≤ 3", share <= 3),
      verdict("share of the first tier given up, points", tier, 2, "≤ 3", tier <= 3),
    );
  }
  if (days.harsh !== undefined) {
    const p95 = difference("harsh", "p95");
    const quality = -100 * difference("harsh", "quality");
    verdicts.push(
      verdict("harsh day: p95 against it, s", p95, 2, `< ${MODEL_LOSES.p95S}`, p95 < MODEL_LOSES.p95S),
      verdict(
        "harsh day: quality given up, points",
        quality,
        2,
        `< ${MODEL_LOSES.quality}`,
        quality < MODEL_LOSES.quality,
      ),
    );
  }
  return verdicts;
}

function judgeTrouble({ outage, storms }: Contest): Verdict[] {
  const down = outage[OURS].attemptsPerRequest;
  const verdicts = [
    verdict("attempts per request while everything is down", down, 3, "≤ 1.15", down <= 1.15),
  ];
  for (const [kind, figures] of Object.entries(storms)) {
    const own = figures[OURS].recoveryS;
    const naive = figures[NAIVE].recoveryS;
    verdicts.push(
      verdict(`back above 95 % after the slowness, ${kind}, s`, own, 0, "≤ 30", own <= 30),
      verdict(`naive retries never are, ${kind}, s`, naive, 0, `≥ ${NEVER_S}`, naive >= NEVER_S),
    );
  }
  return verdicts;
}
