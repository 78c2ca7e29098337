import type { PlanDocument } from "../contract/plan.ts";
import { HOME_ZONE } from "./flows.ts";
import { TARGETS, type TargetName } from "./targets.ts";

/** The plan that the sample begins with: two chains whose first two targets are equally good. */
export const SAMPLE_PLAN: PlanDocument = {
  timeZone: HOME_ZONE,
  chains: {
    "support-answer": chainOf([["opus", "sonnet"], ["gptMini"]], "local"),
    "doc-summarise": chainOf([["deepseek", "qwen"], ["geminiFlash"]], "local"),
  },
};

function chainOf(
  tiers: readonly (readonly TargetName[])[],
  floor: TargetName,
): PlanDocument["chains"][string] {
  const names = ["first", "second"];
  const targets = tiers.flatMap((tier, i) =>
    tier.map((id) => ({ ...targetOf(id), tier: names[i] ?? "third" })),
  );
  return { targets: [...targets, { ...targetOf(floor), tier: "floor" }], floor };
}

function targetOf(id: TargetName) {
  const { provider, model, endpoint } = TARGETS[id];
  return { id, provider, model, endpoint };
}
