import type { Outcome } from "@busyhour/sdk";
import type { Episode } from "./episodes.ts";
import { FLOWS, type Flow, HOME_ZONE, RETIRED_AT } from "./flows.ts";
import { findMonday, type Moment, resolveMoment } from "./local-hour.ts";
import type { Target } from "./targets.ts";

/** A stretch of time in which calls to one provider fail for a reason of their own. */
export interface Incident {
  readonly fromMs: number;
  readonly toMs: number;
  readonly outcome: Outcome;
  /** Share of attempts it catches, 0–1. */
  readonly share: number;
  readonly provider: string;
  /** Only this endpoint, or only this source; `null` for all. */
  readonly endpoint: string | null;
  readonly source: string | null;
}

/** A flow with its lifetime: it starts requests in [fromMs, untilMs). */
export interface ActiveFlow {
  readonly flow: Flow;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** All that the traffic depends on. The same seed and anchor make the same world. */
export interface World {
  readonly seed: number;
  /** When the demo was first made: holiday, incidents and episodes are placed relative to it. */
  readonly anchorMs: number;
  /** The local date of the one public holiday, four to five weeks before the anchor. */
  readonly holiday: string;
  readonly flows: readonly ActiveFlow[];
  readonly incidents: readonly Incident[];
  /** Episodes that were placed so far, by the number of their week; see `listEpisodes`. */
  readonly episodes: Map<number, Episode>;
}

/** The quota of the month is used up one evening, until somebody raises it. */
const QUOTA_SPENT_AT: Moment = { daysAgo: 12, hour: 19, minute: 20, isOnWorkday: true };
/** A key was rotated and one app went on with the old one. */
const KEY_ROTATED_AT: Moment = { daysAgo: 17, hour: 10, minute: 5, isOnWorkday: true };
const MINUTE_MS = 60_000;

export function createWorld(seed: number, anchorMs: number): World {
  const at = (moment: Moment) => resolveMoment(moment, anchorMs, HOME_ZONE);
  return {
    seed,
    anchorMs,
    holiday: findMonday(31, anchorMs, HOME_ZONE),
    flows: FLOWS.map((flow) => ({
      flow,
      fromMs: flow.from === undefined ? Number.NEGATIVE_INFINITY : at(flow.from),
      untilMs: flow.until === undefined ? Number.POSITIVE_INFINITY : at(flow.until),
    })),
    incidents: [
      {
        ...during(at(QUOTA_SPENT_AT), 165),
        ...{ outcome: "quota", share: 0.9, provider: "openai", endpoint: null, source: "doc-pipeline" },
      },
      {
        ...during(at(KEY_ROTATED_AT), 24),
        ...{ outcome: "auth", share: 0.75, provider: "anthropic", endpoint: null, source: "support-chat" },
      },
      {
        ...during(at(RETIRED_AT) - 50 * MINUTE_MS, 55),
        ...{
          outcome: "not_found",
          share: 1,
          provider: "openai",
          endpoint: "eu.api.openai.com",
          source: null,
        },
      },
    ],
    episodes: new Map(),
  };
}

function during(fromMs: number, minutes: number) {
  return { fromMs, toMs: fromMs + minutes * MINUTE_MS };
}

/** The incident that may catch a call of this source to this target at this time, or `null`. */
export function findIncident(world: World, target: Target, source: string, timeMs: number): Incident | null {
  for (const incident of world.incidents) {
    if (timeMs < incident.fromMs || timeMs >= incident.toMs) continue;
    if (incident.provider !== target.provider) continue;
    if (incident.endpoint !== null && incident.endpoint !== target.endpoint) continue;
    if (incident.source === null || incident.source === source) return incident;
  }
  return null;
}
