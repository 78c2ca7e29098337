import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import { findReply } from "./failure-replies.ts";
import type { FaultShares, Source } from "./flows.ts";
import { drawUnit, type Random } from "./random.ts";
import type { Room } from "./room.ts";
import type { Target } from "./targets.ts";
import type { Incident } from "./world.ts";

/** Who was just turned away and asks again within seconds is turned away more often. */
const AGAIN_FACTOR = 1.6;
const MOST_SHARE = 0.9;

/** How one attempt ends. A failure that this provider does not know is a success. */
export function drawOutcome(
  target: Target,
  source: Source,
  room: Room,
  incident: Incident | null,
  isAgain: boolean,
  random: Random,
): Outcome {
  if (incident !== null && drawUnit(random) < incident.share) return incident.outcome;
  const capacityShare = Math.min(MOST_SHARE, room.capacityShare * (isAgain ? AGAIN_FACTOR : 1));
  let lot = drawUnit(random);
  if (lot < capacityShare) return "capacity";
  lot -= capacityShare;
  for (const [outcome, share] of listFaults(source.faults)) {
    const isSlower = outcome === "timeout" || outcome === "cancelled";
    const grown = isSlower ? share * room.slowness : share;
    if (lot >= grown) {
      lot -= grown;
      continue;
    }
    return outcome === "cancelled" || findReply(target.provider, outcome) !== null ? outcome : "ok";
  }
  return "ok";
}

function listFaults(faults: FaultShares): readonly (readonly [Outcome, number])[] {
  let list = lists.get(faults);
  if (list === undefined) {
    list = OUTCOMES.flatMap((outcome) => {
      const share = faults[outcome];
      return share === undefined ? [] : [[outcome, share] as const];
    });
    lists.set(faults, list);
  }
  return list;
}

const lists = new WeakMap<FaultShares, readonly (readonly [Outcome, number])[]>();
