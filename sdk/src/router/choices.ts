import type { Link } from "./course.ts";
import { getIndexOf } from "./parts/order.ts";
import type { TargetState as Known } from "./parts/target-state.ts";
import type { RouterSystem } from "./system.ts";
import type { Choice, TargetHealth, TargetState } from "./types.ts";
import { describeState } from "./words.ts";

/** Below this expected share of successes a target is called busy. */
const BUSY_BELOW = 0.7;
const RANKS: Readonly<Record<TargetState, number>> = { ready: 0, busy: 1, resting: 2, unavailable: 3 };
const USUAL_DEADLINE_MS = 60_000;

/** All links with their state in words, best first. */
export function listChoices(links: readonly Link[], nowMs: number, locale: string | undefined): Choice[] {
  return links
    .map((link) => ({
      link,
      state: stateOf(link.state, nowMs),
      index: getIndexOf(link.state, link.quality, false, USUAL_DEADLINE_MS, nowMs),
    }))
    .sort((a, b) => RANKS[a.state] - RANKS[b.state] || b.index - a.index)
    .map(({ link, state }) => ({
      target: link.target,
      state,
      words: describeState(state, locale),
      readyInMs: readyInMs(link.state, state, nowMs),
    }));
}

/** For the server, in the order of the chain. */
export function listHealth(
  links: readonly Link[],
  system: Pick<RouterSystem, "elapsed" | "now">,
): TargetHealth[] {
  const [nowMs, epochMs] = [system.elapsed(), system.now()];
  return links.map(({ target, state }) => ({
    target: target.id,
    state: stateOf(state, nowMs),
    score: state.score.expect(nowMs),
    circuit: state.circuit.state(nowMs),
    inFlight: state.inFlight,
    limit: state.limitNow,
    heldUntil: nowMs < state.hold.until ? Math.round(epochMs + state.hold.until - nowMs) : null,
  }));
}

function stateOf(state: Known, nowMs: number): TargetState {
  const why = state.hold.why(nowMs);
  if (why !== null) return state.hold.isStated ? "resting" : why === "rate_limit" ? "resting" : "unavailable";
  if (state.circuit.state(nowMs) !== "closed") return "resting";
  const isFull = state.inFlight >= state.limitNow;
  return isFull || state.score.expect(nowMs) < BUSY_BELOW ? "busy" : "ready";
}

function readyInMs(known: Known, state: TargetState, nowMs: number): number | null {
  if (state !== "resting") return null;
  const until = nowMs < known.hold.until ? known.hold.until : known.circuit.openUntil;
  return until > nowMs ? Math.round(until - nowMs) : null;
}
