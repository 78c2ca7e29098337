import type { RuleCondition } from "../../contract/alert-rule.ts";
import { createBurnRate } from "./burn-rate.ts";
import { createFastRise } from "./fast-rise.ts";
import { createLearnt } from "./learnt.ts";
import { createAmplification, createCount, createShare } from "./ratio.ts";
import { createSilent } from "./silent.ts";
import type { Detector } from "./types.ts";

/** The detector of a rule's condition; pure, and the same for all groups of the rule. */
export function createDetector(condition: RuleCondition): Detector {
  switch (condition.kind) {
    case "share":
      return createShare(condition);
    case "count":
      return createCount(condition);
    case "learnt":
      return createLearnt();
    case "fastRise":
      return createFastRise();
    case "burnRate":
      return createBurnRate(condition);
    case "silent":
      return createSilent(condition);
    case "amplification":
      return createAmplification(condition);
  }
}
