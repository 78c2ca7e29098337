import type { OverviewTarget } from "../contract/share.ts";
import { SHORT_FROM } from "./judge-now.ts";

/** One sentence for anyone: whether models were short of capacity in the range, and which one most. */
export function describeOverview(targets: readonly OverviewTarget[]): string {
  const attempts = targets.reduce((sum, target) => sum + target.attempts, 0);
  if (attempts === 0) return "No calls in this range.";
  const judged = targets.filter((target) => target.capacity.state === "enough");
  const [first] = judged;
  if (first === undefined)
    return `Only ${attempts} ${attempts === 1 ? "call" : "calls"} in this range: too few to say how busy any model is.`;
  const short = judged
    .filter((target) => (target.capacity.rate ?? 0) >= SHORT_FROM)
    .sort((a, b) => (b.capacity.rate ?? 0) - (a.capacity.rate ?? 0));
  // A model at two endpoints is two targets: then it is these that are counted.
  const noun =
    new Set(judged.map(({ model }) => model)).size === judged.length ? "models" : "model endpoints";
  const [worst] = short;
  if (worst === undefined) {
    return judged.length === 1
      ? `${nameOf(first, judged)} was not short of capacity.`
      : `None of ${judged.length} ${noun} was short of capacity.`;
  }
  const { k, n, rate } = worst.capacity;
  const verb = short.length === 1 ? "was" : "were";
  return `${short.length} of ${judged.length} ${noun} ${verb} short of capacity, most of all ${nameOf(worst, judged)}: ${((rate ?? 0) * 100).toFixed(1)} % of calls (${k} of ${n}).`;
}

/** The model, with its endpoint where it has one, and with its provider where that alone tells it from another. */
function nameOf({ provider, model, endpoint }: OverviewTarget, all: readonly OverviewTarget[]): string {
  if (endpoint !== "") return `${model} at ${endpoint}`;
  return all.some((other) => other.model === model && other.provider !== provider)
    ? `${model} of ${provider}`
    : model;
}
