const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** [fromMs, toMs), epoch milliseconds. */
export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What one looks at: a stretch that ends now, like `7d` or `6h`, or one between two instants. */
export type RangeChoice =
  | { readonly kind: "last"; readonly text: string }
  | ({ readonly kind: "between" } & Range);

export const PRESETS = ["1h", "6h", "24h", "7d", "28d", "90d"] as const;

/** @returns `null` for text that is no length; at most 400 days, which is what a calendar can show */
export function parseLength(text: string): number | null {
  const match = /^([1-9]\d{0,3})([hd])$/.exec(text);
  if (match === null) return null;
  const lengthMs = Number(match[1]) * (match[2] === "h" ? HOUR_MS : DAY_MS);
  return lengthMs <= 400 * DAY_MS ? lengthMs : null;
}

export function resolveRange(choice: RangeChoice, nowMs: number): Range {
  if (choice.kind === "between") return { fromMs: choice.fromMs, toMs: choice.toMs };
  return { fromMs: nowMs - (parseLength(choice.text) ?? DAY_MS), toMs: nowMs };
}

/** The range of the same length right before or after; one that would reach past now becomes one that ends now. */
export function shiftRange(choice: RangeChoice, direction: -1 | 1, nowMs: number): RangeChoice {
  const { fromMs, toMs } = resolveRange(choice, nowMs);
  const lengthMs = toMs - fromMs;
  const shifted = { fromMs: fromMs + direction * lengthMs, toMs: toMs + direction * lengthMs };
  if (shifted.toMs < nowMs) return { kind: "between", ...shifted };
  const text = lengthMs % DAY_MS === 0 ? `${lengthMs / DAY_MS}d` : `${Math.ceil(lengthMs / HOUR_MS)}h`;
  return { kind: "last", text: text === "1d" ? "24h" : text };
}

/** Against what one compares: the period before, the same time a week ago, or four weeks ago. */
export const COMPARES = ["before", "week", "month"] as const;
export type Compare = (typeof COMPARES)[number];

/** By how much what one compares with is earlier. */
export function earlierByMs(choice: RangeChoice, compare: Compare): number {
  const { fromMs, toMs } = resolveRange(choice, 0);
  return { before: toMs - fromMs, week: 7 * DAY_MS, month: 28 * DAY_MS }[compare];
}

export function readRange(params: URLSearchParams): RangeChoice | null {
  const text = params.get("range");
  if (text !== null && parseLength(text) !== null) return { kind: "last", text };
  const fromMs = Date.parse(params.get("from") ?? "");
  const toMs = Date.parse(params.get("to") ?? "");
  return fromMs < toMs ? { kind: "between", fromMs, toMs } : null;
}

/** The query parameters that stand for a choice; `null` clears one. */
export function writeRange(choice: RangeChoice | null): Record<"range" | "from" | "to", string | null> {
  if (choice === null) return { range: null, from: null, to: null };
  if (choice.kind === "last") return { range: choice.text, from: null, to: null };
  const iso = (ms: number) => new Date(ms).toISOString().replace(/(:00)?\.000Z$/, "Z");
  return { range: null, from: iso(choice.fromMs), to: iso(choice.toMs) };
}
