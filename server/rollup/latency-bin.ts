/**
 * Bins of the latency histogram: bin i holds (γ^(i−1), γ^i] milliseconds, so that a value taken from the middle
 * of its bin is off by at most 2 %.
 *
 * @see docs/formulas.md#latency
 * Source: Masson, Rim & Lee, "DDSketch", VLDB 2019.
 */
export const RELATIVE_ERROR = 0.02;
export const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);

/** The bin of a duration; everything up to 1 ms shares bin 0. */
export function latencyBin(ms: number): number {
  return ms <= 1 ? 0 : Math.ceil(Math.log(ms) / Math.log(GAMMA));
}

/** The duration in milliseconds that stands for a bin. */
export function binValueMs(bin: number): number {
  return bin === 0 ? 1 : (2 * GAMMA ** bin) / (GAMMA + 1);
}

export interface Histogram {
  readonly bins: readonly number[];
  readonly counts: readonly number[];
}

/**
 * The value below which the share `q` of the measurements lies, in milliseconds, or `null` without any.
 *
 * @param q 0 < q ≤ 1
 */
export function quantileMs({ bins, counts }: Histogram, q: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const ascending = bins.map((bin, i) => [bin, counts[i] ?? 0] as const).sort(([a], [b]) => a - b);
  let seen = 0;
  for (const [bin, count] of ascending) {
    seen += count;
    if (seen >= q * total) return binValueMs(bin);
  }
  return binValueMs(ascending.at(-1)?.[0] ?? 0);
}
