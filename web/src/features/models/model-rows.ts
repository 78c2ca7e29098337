import type { Models } from "../../../../server/contract/listing.ts";
import type { Cell, CountKind, Overview } from "../../../../server/contract/share.ts";
import { isSameTarget } from "../../app/describe-scope.ts";
import { NO_CALLS } from "../../components/cell.ts";
import { shareOf } from "../now/worst-changes.ts";

/** A model at an endpoint with all that the list says of it. */
export interface ModelRow {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
  readonly share: Cell;
  /** In the time that one compares with; absent when one does not. */
  readonly before?: Cell;
  readonly attempts: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly firstToken: number | null;
  readonly lastSeenMs: number | null;
}

export const SORTS = ["model", "share", "attempts", "p50", "p95", "firstToken", "lastSeen"] as const;
export type Sort = (typeof SORTS)[number];

export interface Order {
  readonly by: Sort;
  readonly isDescending: boolean;
}

export const DEFAULT_ORDER: Order = { by: "share", isDescending: true };

/** `share`, or `-share` from the largest on. */
export function readOrder(text: string | null): Order {
  const by = SORTS.find((sort) => sort === text?.replace(/^-/, ""));
  return by === undefined ? DEFAULT_ORDER : { by, isDescending: text?.startsWith("-") ?? false };
}

export const writeOrder = ({ by, isDescending }: Order) => `${isDescending ? "-" : ""}${by}`;

/** Joins the figures of a range with what is known of each target. */
export function toModelRows(
  { models }: Models,
  { targets }: Overview,
  count: CountKind,
  earlier: Overview | null = null,
): ModelRow[] {
  return models.map((model) => {
    const figures = targets.find((target) => isSameTarget(target, model));
    const then = earlier?.targets.find((target) => isSameTarget(target, model));
    return {
      provider: model.provider,
      model: model.model,
      endpoint: model.endpoint,
      share: figures === undefined ? model.capacity : shareOf(figures, count),
      ...(earlier === null ? {} : { before: then === undefined ? NO_CALLS : shareOf(then, count) }),
      attempts: model.attempts,
      p50: figures?.latencyMs.p50 ?? null,
      p95: figures?.latencyMs.p95 ?? null,
      firstToken: figures?.firstTokenMs.p50 ?? null,
      lastSeenMs: model.lastSeen === null ? null : Date.parse(model.lastSeen),
    };
  });
}

/** Rows in order; those that have nothing to compare come last either way, thin shares after sound ones. */
export function sortModelRows(rows: readonly ModelRow[], { by, isDescending }: Order): ModelRow[] {
  const sign = isDescending ? -1 : 1;
  const value = (row: ModelRow): string | number | null => {
    if (by === "model") return row.model;
    if (by === "share") return row.share.state === "enough" ? row.share.rate : null;
    return by === "lastSeen" ? row.lastSeenMs : row[by];
  };
  return [...rows].sort((a, b) => {
    const left = value(a);
    const right = value(b);
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === "string" || typeof right === "string")
      return sign * String(left).localeCompare(String(right));
    return sign * (left - right);
  });
}

/** Rows with the text in their model, provider or endpoint. */
export function filterModelRows(rows: readonly ModelRow[], text: string): ModelRow[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(({ provider, model, endpoint }) =>
    `${provider} ${model} ${endpoint}`.toLowerCase().includes(wanted),
  );
}
