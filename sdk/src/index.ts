export type { AttemptError, AttemptEvent } from "./attempt-event.ts";
export type { Classification, Failure, FailureScope, HeadersLike } from "./classify/classification.ts";
export { classify, createClassifier } from "./classify/classify.ts";
export type { Rule, RuleWords } from "./classify/rule.ts";
export { type Fault, OUTCOME_TRAITS, OUTCOMES, type Outcome, type OutcomeTraits } from "./outcome.ts";
