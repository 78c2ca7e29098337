import { estimateProfile } from "../../../server/profile/estimate-profile.ts";
import { judge } from "./numbers.ts";
import { FIRST_DAY, makePeakWorld, type PeakWorld, toHours } from "./peak-world.ts";
import { recommendedShares } from "./reference-estimator.ts";

type Estimator = (world: PeakWorld) => readonly number[];

/** Raw share of each hour of the week; an hour without calls is at the mean. */
const naive: Estimator = ({ weeks }) => {
  const sum = (of: "k" | "n", at: number) => weeks.reduce((total, week) => total + (week[of][at] ?? 0), 0);
  const all = Array.from({ length: 168 }, (_, at) => at);
  const mean = all.reduce((t, at) => t + sum("k", at), 0.5) / all.reduce((t, at) => t + sum("n", at), 10);
  return all.map((at) => (sum("n", at) > 0 ? sum("k", at) / sum("n", at) : mean));
};

const ours: Estimator = (world) => estimateProfile(toHours(world), FIRST_DAY + 7 * world.weeks.length).rates;

const ESTIMATORS: readonly (readonly [string, Estimator])[] = [
  ["raw shares, least taken", naive],
  ["recommended by the reference", ({ weeks }) => recommendedShares(weeks)],
  ["Busyhour", ours],
];

const WEEKS = 4;

/** Regret of one window of three hours each day within 08–20 h, against the best there is, in points. */
export function reportPeaks(replicates: number): void {
  console.log(
    `\nwindows of 3 h within 08–20 h after ${WEEKS} weeks, ${replicates} made worlds: mean regret in points`,
  );
  for (const callsPerHour of [5, 50, 500]) {
    const regrets = ESTIMATORS.map((): number[] => []);
    for (let i = 0; i < replicates; i++) {
      const world = makePeakWorld(50_000 + 101 * i + callsPerHour, callsPerHour, WEEKS);
      ESTIMATORS.forEach(([, estimate], at) => {
        regrets[at]?.push(100 * regretOf(estimate(world), world.truth));
      });
    }
    const means = regrets.map(meanOf);
    const [raw = 0, recommended = 0, own = 0] = means;
    // The worlds are the same for all, so that differences are known better than the means are.
    const slack = 2 * standardError((regrets[2] ?? []).map((value, i) => value - (regrets[1]?.[i] ?? 0)));
    const verdict =
      callsPerHour > 50
        ? ""
        : `   ${judge(own < raw, "< raw")}, ${judge(own <= recommended + slack, "≤ reference")}`;
    console.log(
      `  ${String(callsPerHour).padStart(3)} calls/h: ` +
        `${ESTIMATORS.map(([name], at) => `${name} ${(means[at] ?? 0).toFixed(3)}`).join(", ")}${verdict}`,
    );
  }
}

function regretOf(estimate: readonly number[], truth: readonly number[]): number {
  let regret = 0;
  for (let day = 0; day < 7; day++) {
    const sumAt = (shares: readonly number[], hour: number) =>
      [0, 1, 2].reduce((sum, i) => sum + (shares[day * 24 + hour + i] ?? 0), 0);
    const starts = Array.from({ length: 10 }, (_, i) => 8 + i);
    const least = (shares: readonly number[]) =>
      starts.reduce((best, hour) => (sumAt(shares, hour) < sumAt(shares, best) - 1e-12 ? hour : best), 8);
    regret += (sumAt(truth, least(estimate)) - sumAt(truth, least(truth))) / 3 / 7;
  }
  return regret;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function standardError(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)) / values.length);
}
