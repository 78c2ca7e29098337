import { requestsPerHour } from "./demand.ts";
import type { DemoAttempt } from "./demo-attempt.ts";
import { HOUR_MS } from "./local-hour.ts";
import { MAX_REQUEST_SPAN_MS, playRequest } from "./play-request.ts";
import { createRandom, drawNoise, drawPoisson, drawUnit, type Random } from "./random.ts";
import { createHourRooms } from "./room.ts";
import { type ActiveFlow, createWorld, type World } from "./world.ts";

/** Within a slot requests start at an even rate. */
const SLOT_MS = 5 * 60_000;
/** A call takes about 7 s, so this many hours of arrivals are under way at a time (Little's law). */
const MEAN_CALL_HOURS = 7 / 3_600;

export interface TrafficRange {
  readonly seed: number;
  /** When the demo was first made; any time, but always the same one for the same demo. */
  readonly anchorMs: number;
  /** The attempts that start in [fromMs, toMs), epoch milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The made traffic of a range, in the order of `occurredAt`, then `eventId`.
 *
 * Two ranges that meet give together what the whole gives, and asking again gives the same events with the
 * same ids: storing an overlap twice changes nothing.
 */
export function* generateTraffic({ seed, anchorMs, fromMs, toMs }: TrafficRange): Generator<DemoAttempt> {
  if (fromMs >= toMs) return;
  const world = createWorld(seed, anchorMs);
  const from = new Date(fromMs).toISOString();
  const to = new Date(toMs).toISOString();
  const firstHourMs = Math.floor((fromMs - MAX_REQUEST_SPAN_MS) / HOUR_MS) * HOUR_MS;
  let late: DemoAttempt[] = [];
  for (let hourMs = firstHourMs; hourMs < toMs; hourMs += HOUR_MS) {
    const hourEnd = new Date(hourMs + HOUR_MS).toISOString();
    const due = [...late, ...generateHour(world, hourMs)].sort(byTime);
    late = [];
    for (const event of due) {
      if (event.occurredAt >= hourEnd) late.push(event);
      else if (event.occurredAt >= from && event.occurredAt < to) yield event;
    }
  }
}

/**
 * All attempts of the requests that start within one UTC hour, in time order; the last ones may lie up to five
 * minutes after its end. They depend on the world's seed and anchor and on this hour, on nothing else.
 *
 * @throws RangeError when `hourStartMs` is not the start of a UTC hour
 */
export function generateHour(world: World, hourStartMs: number): DemoAttempt[] {
  if (hourStartMs % HOUR_MS !== 0) throw new RangeError(`${hourStartMs} is not the start of a UTC hour`);
  const rooms = createHourRooms(world, hourStartMs);
  const events: DemoAttempt[] = [];
  for (const active of world.flows) {
    const { flow } = active;
    if (active.fromMs >= hourStartMs + HOUR_MS || active.untilMs <= hourStartMs) continue;
    const random = createRandom(world.seed, "flow", flow.name, hourStartMs);
    const meanInFlight = requestsPerHour(world, flow, hourStartMs) * MEAN_CALL_HOURS;
    const stage = { world, rooms, flow, meanInFlight };
    for (const startMs of drawStarts(world, active, hourStartMs, random)) {
      playRequest(stage, startMs, random, events);
    }
  }
  return events.sort(byTime);
}

/** When the requests of one flow start within the hour; not sorted. */
function drawStarts(world: World, active: ActiveFlow, hourStartMs: number, random: Random): number[] {
  const { flow, fromMs, untilMs } = active;
  const starts: number[] = [];
  for (let slotMs = hourStartMs; slotMs < hourStartMs + HOUR_MS; slotMs += SLOT_MS) {
    const perHour = requestsPerHour(world, flow, slotMs + SLOT_MS / 2);
    const mean = perHour * (SLOT_MS / HOUR_MS) * drawNoise(random, flow.source.burstSigma);
    for (let left = drawPoisson(random, mean); left > 0; left--) {
      const startMs = slotMs + Math.floor(drawUnit(random) * SLOT_MS);
      if (startMs >= fromMs && startMs < untilMs) starts.push(startMs);
    }
  }
  return starts;
}

/** The ids begin with the time in hexadecimal digits of fixed length, so their order is that of the events. */
function byTime(a: DemoAttempt, b: DemoAttempt): number {
  return a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0;
}
