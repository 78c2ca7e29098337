import type { NowShare, NowState } from "../contract/now.ts";
import type { Cell } from "../contract/share.ts";
import { toCell } from "./cell.ts";

export const SHORT_FROM = 0.05;
export const TIGHT_FROM = 0.02;

/**
 * What a person wants to know of a model now. `short`: 5 % and more of the calls found no room, and by the lower end
 * of the interval at least 2 %, so that two unlucky calls of forty do not make an alarm. `tight`: from 2 % on.
 *
 * @see docs/formulas.md#now
 */
export function judgeShare(cell: Cell): NowState {
  if (cell.state === "none" || cell.rate === null) return "silent";
  if (cell.state === "few") return "few";
  if (cell.rate >= SHORT_FROM && (cell.low ?? 0) >= TIGHT_FROM) return "short";
  return cell.rate >= TIGHT_FROM ? "tight" : "room";
}

/** The last hour where it has enough calls, else the last three. */
export function judgeNow(lastHour: Cell = toCell(0, 0), lastThreeHours: Cell = toCell(0, 0)): NowShare {
  const hours = lastHour.state === "enough" || lastThreeHours.n <= lastHour.n ? 1 : 3;
  const cell = hours === 1 ? lastHour : lastThreeHours;
  return { state: judgeShare(cell), hours, cell };
}
