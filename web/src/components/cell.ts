import type { Cell } from "../../../server/contract/share.ts";
import type { Messages } from "../messages/en.ts";
import type { Formats } from "../messages/formats.ts";

export type { Cell };

export const NO_CALLS: Cell = { n: 0, k: 0, rate: null, low: null, high: null, state: "none" };

/** Upper ends of the heat steps, as shares; what is above the last one is step 6. */
export const STEP_ENDS = [0, 0.01, 0.02, 0.05, 0.1, 0.25] as const;

/** The fixed step of a share, 0–6: the same colour means the same share on every screen. */
export function heatStep(rate: number): number {
  const step = STEP_ENDS.findIndex((end) => rate <= end);
  return step === -1 ? STEP_ENDS.length : step;
}

/** How a cell looks: without calls hatched, with few dotted and faint, else by its step. */
export function cellLook(cell: Cell): "none" | "few" | `${number}` {
  if (cell.rate === null || cell.state === "none") return "none";
  return cell.state === "few" ? "few" : `${heatStep(cell.rate)}`;
}

/** A cell in words. The screen, the tooltip, the table and the CSV all take them from here. */
export interface CellWords {
  /** `4.4 %`, or a dash without calls. */
  readonly share: string;
  /** `32 of 733`. */
  readonly counts: string;
  /** `3.1–6.1 %`, or a dash without calls. */
  readonly interval: string;
  readonly state: string;
}

export function describeCell(cell: Cell, messages: Messages, formats: Formats): CellWords {
  const hasCalls = cell.rate !== null && cell.low !== null && cell.high !== null;
  return {
    share: cell.rate === null ? "–" : formats.share(cell.rate),
    counts: messages.cell.counts(formats.count(cell.k), formats.count(cell.n)),
    interval: hasCalls ? formats.shareRange(cell.low ?? 0, cell.high ?? 0) : "–",
    state: messages.cell.state[cell.state],
  };
}

/**
 * A share against an earlier one, in points with both counts; what has too few calls on either side is not compared.
 *
 * @returns `null` when there is nothing to compare with
 */
export function describeChange(
  now: Cell,
  before: Cell | undefined,
  messages: Messages,
  formats: Formats,
): string | null {
  if (before === undefined) return null;
  if (now.state !== "enough" || before.state !== "enough") return messages.cell.tooFewToCompare;
  const { share, counts } = describeCell(before, messages, formats);
  return messages.cell.change(formats.points((now.rate ?? 0) - (before.rate ?? 0)), share, counts);
}

/** One line for people who listen. */
export function speakCell(cell: Cell, messages: Messages, formats: Formats): string {
  if (cell.state === "none") return messages.cell.state.none;
  const { share, counts, interval, state } = describeCell(cell, messages, formats);
  return messages.cell.spoken(share, counts, interval, cell.state === "few" ? state : null);
}

/** Heads and values of the cell that one compares with, for a table of data. */
export const BEFORE_COLUMNS = ["before", "beforeCalls", "change"] as const;

export function beforeValues(cell: Cell, before: Cell | undefined): readonly (number | string | null)[] {
  const canCompare = cell.state === "enough" && before?.state === "enough";
  const points = ((cell.rate ?? 0) - (before?.rate ?? 0)) * 100;
  return [before?.rate ?? null, before?.n ?? null, canCompare ? Number(points.toFixed(2)) : null];
}

/** The numbers of a cell for a table of data: share and interval as plain ratios 0–1. */
export const CELL_COLUMNS = ["share", "errors", "calls", "low", "high", "state"] as const;

export function cellValues(cell: Cell): readonly (number | string | null)[] {
  return [cell.rate, cell.k, cell.n, cell.low, cell.high, cell.state];
}
