import { OUTCOME_TRAITS, OUTCOMES, type Outcome } from "@busyhour/sdk";
import { ENOUGH_CALLS, toCell } from "../capacity/cell.ts";
import { judgeShare } from "../capacity/judge-now.ts";
import { countShare } from "../capacity/share.ts";
import type { Cell } from "../contract/share.ts";
import type { AttemptsFinding, KindFinding, TrafficFinding } from "./finding.ts";

type Counts = Readonly<Partial<Record<Outcome, number>>>;

/** Whether it is capacity at all that calls failed of; else everything below would be read wrong. */
export function judgeKind(counts: Counts, usual: Cell): KindFinding {
  const { k, n } = countShare(counts, "capacity");
  const capacity = toCell(k, n);
  const failures: Partial<Record<Outcome, number>> = {};
  let leading: Outcome | null = null;
  for (const outcome of OUTCOMES) {
    const count = counts[outcome] ?? 0;
    if (OUTCOME_TRAITS[outcome].severity === "none" || count === 0) continue;
    failures[outcome] = count;
    if (leading === null || count > (failures[leading] ?? 0)) leading = outcome;
  }
  const attempts = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const verdict = (): KindFinding["verdict"] => {
    if (attempts < ENOUGH_CALLS) return "tooFew";
    if (leading !== null && leading !== "capacity" && judgeShare(toCell(failed, attempts)) !== "room")
      return "other";
    const state = judgeShare(capacity);
    return state === "short" || state === "tight" ? "capacity" : "none";
  };
  return { step: "kind", verdict: verdict(), capacity, usual, failures, leading };
}

/** From half more on, and by more than chance brings, traffic has grown. */
const GREW = 1.5;
const FELL = 1 / GREW;
const SPREADS = 3;

/**
 * Own traffic against the same hours of earlier weeks, by first attempts: repeats are looked at for themselves.
 *
 * @param usual first attempts in the same stretch of each earlier week in which the target was called
 */
export function judgeTraffic(first: number, hours: number, usual: readonly number[]): TrafficFinding {
  const perHour = first / hours;
  const weeks = usual.length;
  if (weeks === 0) return { step: "traffic", verdict: "unknown", perHour, usualPerHour: null, weeks };
  const mean = usual.reduce((sum, count) => sum + count, 0) / weeks;
  const isMore = Math.abs(first - mean) > SPREADS * Math.sqrt(Math.max(1, mean));
  const verdict = isMore && first >= GREW * mean ? "grew" : isMore && first <= FELL * mean ? "fell" : "usual";
  return { step: "traffic", verdict, perHour, usualPerHour: mean / hours, weeks };
}

export interface LayerCount {
  readonly source: string;
  readonly chain: string;
  readonly requests: number;
  readonly attempts: number;
  /** Attempts without a request id. */
  readonly unlinked: number;
}

/** With half as many repeats as requests, own repeats are a third of the load. */
const STORM = 1.5;

/** Whether own repeats make the load: attempts at the same target per request, by who repeats. */
export function judgeAttempts(now: readonly LayerCount[], before: readonly LayerCount[]): AttemptsFinding {
  const perRequest = ratioOf(now);
  const linked = now.reduce((sum, { attempts }) => sum + attempts, 0);
  const unlinked = now.reduce((sum, layer) => sum + layer.unlinked, 0);
  const isSeen = linked >= ENOUGH_CALLS && linked >= unlinked;
  const isStorm = perRequest !== null && linked >= ENOUGH_CALLS && perRequest >= STORM;
  return {
    step: "attempts",
    verdict: isStorm ? "storm" : isSeen ? "normal" : "unknown",
    perRequest,
    usualPerRequest: ratioOf(before),
    unlinked,
    layers: now
      .filter(({ requests }) => requests > 0)
      .map(({ source, chain, requests, attempts }) => ({
        source,
        chain,
        requests,
        attempts,
        perRequest: attempts / requests,
      }))
      .sort((a, b) => b.attempts - b.requests - (a.attempts - a.requests)),
  };
}

function ratioOf(layers: readonly LayerCount[]): number | null {
  const requests = layers.reduce((sum, layer) => sum + layer.requests, 0);
  return requests === 0 ? null : layers.reduce((sum, { attempts }) => sum + attempts, 0) / requests;
}
