import type { OverviewTarget } from "../contract/share.ts";

/** From this capacity share on a model is called short of capacity. */
export const SHORT_OF_CAPACITY = 0.05;

/** One sentence for anyone: whether models were short of capacity in the range, and which one most. */
export function describeOverview(targets: readonly OverviewTarget[]): string {
  const attempts = targets.reduce((sum, target) => sum + target.attempts, 0);
  if (attempts === 0) return "No calls in this range.";
  const judged = targets.filter((target) => target.capacity.state === "enough");
  if (judged.length === 0)
    return `Only ${attempts} ${attempts === 1 ? "call" : "calls"} in this range: too few to say how busy any model is.`;
  const short = judged
    .filter((target) => (target.capacity.rate ?? 0) >= SHORT_OF_CAPACITY)
    .sort((a, b) => (b.capacity.rate ?? 0) - (a.capacity.rate ?? 0));
  const worst = short[0];
  if (worst === undefined) {
    return judged.length === 1
      ? `${nameOf(judged[0] as OverviewTarget)} was not short of capacity.`
      : `None of ${judged.length} models was short of capacity.`;
  }
  const { k, n, rate } = worst.capacity;
  const verb = short.length === 1 ? "was" : "were";
  return `${short.length} of ${judged.length} models ${verb} short of capacity, most of all ${nameOf(worst)}: ${((rate ?? 0) * 100).toFixed(1)} % of calls (${k} of ${n}).`;
}

function nameOf({ model, endpoint }: OverviewTarget): string {
  return endpoint === "" ? model : `${model} at ${endpoint}`;
}
