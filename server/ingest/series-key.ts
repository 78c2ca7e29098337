import type { ReceivedEvent } from "../contract/attempt-event.ts";
import type { SeriesKey } from "./attempt.ts";
import { cleanLabel } from "./scrub.ts";

type Label = string | null | undefined;
/** A level of the tree per label, and the key at its end. */
type Branch = Map<Label, Branch | SeriesKey>;

/** So many different series are remembered; beyond, it begins anew. */
const MAX_REMEMBERED = 20_000;

let root: Branch = new Map();
let remembered = 0;

/**
 * The series of an event, labels cleaned. Events whose labels are written alike get the same object, so that whoever
 * asks for its number need not put six texts together for each of thousands of events.
 */
export function toSeriesKey(event: ReceivedEvent): SeriesKey {
  const { source, provider, model, endpoint, account, chain } = event;
  const branch = grow(grow(grow(grow(grow(root, source), provider), model), endpoint), account);
  const known = branch.get(chain) as SeriesKey | undefined;
  if (known !== undefined) return known;
  const clean = (label: Label) => (label == null ? "" : cleanLabel(label));
  const key: SeriesKey = {
    source: clean(source),
    provider: clean(provider),
    model: clean(model),
    endpoint: clean(endpoint),
    account: clean(account),
    chain: clean(chain),
  };
  if (++remembered > MAX_REMEMBERED) {
    root = new Map();
    remembered = 0;
  } else branch.set(chain, key);
  return key;
}

function grow(branch: Branch, label: Label): Branch {
  let next = branch.get(label) as Branch | undefined;
  if (next === undefined) {
    next = new Map();
    branch.set(label, next);
  }
  return next;
}
