import type { Cell } from "../../../../server/contract/share.ts";

/**
 * What a person wants to know of a model now. `short`: 5 % and more of the calls found no room, and by the lower end
 * of the interval at least 2 %, so that two unlucky calls of forty do not make an alarm. `tight`: from 2 % on.
 */
export type TileState = "short" | "tight" | "room" | "few" | "silent";

export const SHORT_FROM = 0.05;
export const TIGHT_FROM = 0.02;

/** The share now, with the hours that had to be taken together to say it. */
export interface NowShare {
  readonly state: TileState;
  readonly hours: 1 | 3;
  readonly cell: Cell;
}

export const NO_CALLS: Cell = { n: 0, k: 0, rate: null, low: null, high: null, state: "none" };

export function judgeShare(cell: Cell): TileState {
  if (cell.state === "none" || cell.rate === null) return "silent";
  if (cell.state === "few") return "few";
  if (cell.rate >= SHORT_FROM && (cell.low ?? 0) >= TIGHT_FROM) return "short";
  return cell.rate >= TIGHT_FROM ? "tight" : "room";
}

/** The last hour where it has enough calls, else the last three. */
export function judgeNow(lastHour: Cell = NO_CALLS, lastThreeHours: Cell = NO_CALLS): NowShare {
  const hours = lastHour.state === "enough" || lastThreeHours.n <= lastHour.n ? 1 : 3;
  const cell = hours === 1 ? lastHour : lastThreeHours;
  return { state: judgeShare(cell), hours, cell };
}
