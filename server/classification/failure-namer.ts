import type { ReceivedEvent } from "../contract/attempt-event.ts";
import { type StoredEvidence, toStoredEvidence } from "./evidence.ts";
import { type Classify, type NamedOutcome, nameOutcome, toFailure } from "./name-outcome.ts";

/** How an event ended, and what is kept of it if it failed. */
export interface NamedFailure extends NamedOutcome {
  readonly evidence: StoredEvidence | null;
}

export type NameFailure = (event: ReceivedEvent) => NamedFailure;

/** When a provider is full, it says so in the same words thousands of times: these many failures are remembered. */
const MAX_REMEMBERED = 2_000;
const MAX_KEY_LENGTH = 2_000;

/** Names failures by this classifier, and remembers what it made of the last ones. */
export function createFailureNamer(classify: Classify): NameFailure {
  const remembered = new Map<string, NamedFailure>();
  return (event) => {
    const failure = toFailure(event);
    const needsThought = failure.body !== undefined || (event.httpStatus != null && event.httpStatus >= 300);
    if (!needsThought) return { ...nameOutcome(event, failure, classify), evidence: null };
    const key = toKey(event);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const named = nameOutcome(event, failure, classify);
    const made = { ...named, evidence: toStoredEvidence(event.error, failure, named.rule) };
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    if (key.length <= MAX_KEY_LENGTH) remembered.set(key, made);
    return made;
  };
}

/** All that naming looks at. */
function toKey({ outcome, httpStatus, provider, error }: ReceivedEvent): string {
  return JSON.stringify([outcome, httpStatus, provider, error]);
}
