import { judge } from "./numbers.ts";
import { readTrace } from "./trace.ts";
import { type ScoredAdvice, scoreTrace } from "./trace-score.ts";

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** Advice on real endpoints: trained to a date, scored on the week after, and whom it advised. */
export function reportTrace(file: string, per: number): void {
  const traces = readTrace(file, per);
  const { scores, strong, patternless } = scoreTrace(traces, [21, 14, 7]);
  console.log(
    `${traces.length} endpoints, ${strong} with a strong pattern, ${patternless} without one; three dates`,
  );
  const groups: readonly (readonly [string, readonly ScoredAdvice[]])[] = [
    ["strong", scores.filter((score) => score.strong)],
    ["no pattern", scores.filter((score) => score.patternless)],
    ["all", scores],
    ["advised", scores.filter(({ advice }) => advice.verdict === "advise")],
  ];
  for (const [name, group] of groups) reportGroup(name, group);
  const daily = scoreTrace(
    traces,
    Array.from({ length: 22 }, (_, i) => 7 + i),
  ).scores;
  console.log("the same asked on each of 22 days, for less chance in it");
  reportGroup(
    "strong",
    daily.filter((score) => score.strong),
  );
  reportGroup("all", daily);
  reportGroup(
    "last 8 days",
    daily.filter(({ endDay }) => endDay > Math.max(...daily.map((score) => score.endDay)) - 8),
  );
  const strongScores = scores.filter((score) => score.strong);
  const advised = (group: readonly ScoredAdvice[]) =>
    group.filter(({ advice }) => advice.verdict === "advise").length / group.length;
  const covered = scores.flatMap((score) => score.covered);
  const coverage = covered.filter(Boolean).length / covered.length;
  const falseShare = advised(scores.filter((score) => score.patternless));
  console.log(
    [
      `realised on strong ones ${percent(realised(strongScores))}   ${judge(realised(strongScores) > 0.71, "> 71 %")}`,
      `strong ones with a window ${percent(advised(strongScores))}   ${judge(advised(strongScores) >= 0.75, "≥ 75 %")}`,
      `others with a window ${percent(falseShare)}   ${judge(falseShare <= 0.1, "≤ 10 %")}`,
      `intervals that held ${percent(coverage)} of ${covered.length}   ${judge(coverage >= 0.85 && coverage <= 0.95, "85–95 %")}`,
    ].join("\n"),
  );
}

/** Of what the best window in hindsight would have saved, the share that the advised one did. */
function realised(group: readonly ScoredAdvice[], inWindow: keyof ScoredAdvice = "inWindow"): number {
  let [gain, possible] = [0, 0];
  for (const score of group) {
    gain += score.mean - (score[inWindow] as number);
    possible += score.mean - score.oracle;
  }
  return gain / possible;
}

function reportGroup(name: string, group: readonly ScoredAdvice[]): void {
  const mean = (of: (score: ScoredAdvice) => number) =>
    percent(group.reduce((sum, score) => sum + of(score), 0) / group.length);
  const held = group.flatMap((score) => score.coveredAll);
  const heldAdvised = group.flatMap((score) => score.covered);
  console.log(
    `  ${name.padEnd(10)} ${String(group.length).padStart(4)} cases: all hours ${mean((s) => s.mean)}, ` +
      `in window ${mean((s) => s.inWindow)}, best in hindsight ${mean((s) => s.oracle)}; ` +
      `realised ${percent(realised(group))} (plain hour-of-day profile ${percent(realised(group, "plainInWindow"))}), ` +
      `regret ${mean((s) => s.inWindow - s.oracle)}; ` +
      `intervals held ${percent(heldAdvised.filter(Boolean).length / heldAdvised.length)} of ${heldAdvised.length} advised windows, ` +
      `${percent(held.filter(Boolean).length / held.length)} of all`,
  );
}
