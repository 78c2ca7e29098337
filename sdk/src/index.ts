export type { AttemptError, AttemptEvent } from "./attempt-event.ts";
export { type Fault, OUTCOME_TRAITS, OUTCOMES, type Outcome, type OutcomeTraits } from "./outcome.ts";
