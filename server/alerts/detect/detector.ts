import type { RuleCondition } from "../../contract/alert-rule.ts";
import type { Detector } from "./types.ts";

/** The detector of a rule's condition; pure, and the same for all groups of the rule. */
export declare function createDetector(condition: RuleCondition): Detector;
