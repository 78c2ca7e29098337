import { type DemoAttempt, drawAttempt } from "./demo-attempt.ts";
import { drawOutcome } from "./draw-outcome.ts";
import type { Flow } from "./flows.ts";
import { decideNext } from "./next-attempt.ts";
import { drawUuid, type Random } from "./random.ts";
import type { HourRooms } from "./room.ts";
import { TARGETS } from "./targets.ts";
import { findIncident, type World } from "./world.ts";

/**
 * Upper bound of the time from a request's first attempt to the start of its last: three timeouts of a minute
 * and three waits of 12 s, rounded up.
 */
export const MAX_REQUEST_SPAN_MS = 5 * 60_000;

/** Where and when a request is played. */
export interface Stage {
  readonly world: World;
  readonly rooms: HourRooms;
  readonly flow: Flow;
  readonly meanInFlight: number;
}

/** Appends the attempts of one request, in time order and numbered from 1; the last one is final. */
export function playRequest(stage: Stage, startMs: number, random: Random, into: DemoAttempt[]): void {
  const { world, rooms, flow, meanInFlight } = stage;
  const requestId = drawUuid(random, startMs);
  let timeMs = startMs;
  let position = 0;
  let tries = 1;
  let wasTurnedAway = false;
  for (let attempt = 1; ; attempt++) {
    const name = flow.links[position] ?? flow.links[0];
    const target = TARGETS[name];
    const room = rooms.at(name, timeMs);
    const incident = findIncident(world, target, flow.source.name, timeMs);
    const isAgain = wasTurnedAway && tries > 1;
    const outcome = drawOutcome(target, flow.source, room, incident, isAgain, random);
    const facts = { flow, target, timeMs, requestId, attempt, position, outcome, meanInFlight };
    const event = drawAttempt({ ...facts, slowness: room.slowness }, random);
    into.push(event);
    const { retryAfterMs } = event;
    const next = decideNext(flow, { outcome, position, attempt, tries, retryAfterMs }, random);
    if (next === null) return;
    event.isFinal = false;
    timeMs += event.latencyMs + next.waitMs;
    tries = next.position === position ? tries + 1 : 1;
    position = next.position;
    wasTurnedAway = outcome === "capacity";
  }
}
