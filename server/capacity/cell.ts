import type { Cell } from "../contract/share.ts";

/** Fewer calls than this are too few to say anything of. */
export const ENOUGH_CALLS = 20;

/** 97.5 % point of the normal distribution. */
const Z_95 = 1.959963984540054;

/**
 * The Wilson score interval of k successes in n trials; it stays within 0–1 and says something even for k = 0.
 *
 * @see docs/formulas.md#wilson
 * Source: E. B. Wilson, JASA 22 (1927), 209–212.
 */
export function wilsonInterval(k: number, n: number, z = Z_95): { low: number; high: number } {
  if (n === 0) return { low: 0, high: 1 };
  const p = k / n;
  const center = p + (z * z) / (2 * n);
  const spread = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  return {
    low: k === 0 ? 0 : Math.max(0, (center - spread) / scale),
    high: k === n ? 1 : Math.min(1, (center + spread) / scale),
  };
}

export function toCell(k: number, n: number): Cell {
  if (n === 0) return { n, k, rate: null, low: null, high: null, state: "none" };
  const { low, high } = wilsonInterval(k, n);
  return { n, k, rate: k / n, low, high, state: n < ENOUGH_CALLS ? "few" : "enough" };
}
