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
 * The values in milliseconds below which the shares `qs` of the measurements lie, of all histograms together; all
 * `null` without any measurement. A bin may occur more than once.
 *
 * @param qs ascending, each 0 < q ≤ 1
 */
export function quantilesMs(histograms: readonly Histogram[], qs: readonly number[]): (number | null)[] {
  const counts: number[] = [];
  let total = 0;
  for (const histogram of histograms) {
    for (const [i, bin] of histogram.bins.entries()) {
      const count = histogram.counts[i] ?? 0;
      while (counts.length <= bin) counts.push(0);
      counts[bin] = (counts[bin] ?? 0) + count;
      total += count;
    }
  }
  if (total === 0) return qs.map(() => null);
  const found: number[] = [];
  let seen = 0;
  for (const [bin, count] of counts.entries()) {
    seen += count;
    while (found.length < qs.length && count > 0 && seen >= (qs[found.length] ?? 1) * total)
      found.push(binValueMs(bin));
  }
  return found;
}
