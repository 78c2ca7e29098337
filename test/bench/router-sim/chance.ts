/** Draws for simulations. Each takes its uniform number, so that all policies may be given the same luck. */

/** A uniform number out of integers alone: the same for the same ones, in whatever order they are asked for. */
export function hashUniform(...parts: number[]): number {
  let h = 2_166_136_261;
  for (const part of parts) {
    let rest = part | 0;
    for (let i = 0; i < 4; i++) {
      h = Math.imul(h ^ (rest & 255), 16_777_619) >>> 0;
      rest >>>= 8;
    }
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (((h ^ (h >>> 16)) >>> 0) + 0.5) / 4_294_967_296;
}

const A = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
  2.506628277459239,
];
const B = [
  -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1,
];
const C = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const D = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];

const polynomial = (terms: readonly number[], x: number) => terms.reduce((sum, term) => sum * x + term, 0);

/** The normal distribution's quantile, by Acklam's approximation (relative error below 1.2e-9). */
export function normalQuantile(p: number): number {
  if (p <= 0) return -8;
  if (p >= 1) return 8;
  if (p > 0.97575) return -normalQuantile(1 - p);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return polynomial(C, q) / polynomial(D, q);
  }
  const q = p - 0.5;
  return (polynomial(A, q * q) * q) / polynomial(B, q * q);
}

/** Of this mean; `sigma` is the spread of its logarithm. */
export const lognormal = (u: number, mean: number, sigma: number) =>
  mean * Math.exp(sigma * normalQuantile(u) - (sigma * sigma) / 2);

export const exponential = (u: number, mean: number) => -Math.log(1 - u) * mean;

export function poisson(u: number, mean: number): number {
  if (mean <= 0) return 0;
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normalQuantile(u)));
  let p = Math.exp(-mean);
  let sum = p;
  let k = 0;
  while (u > sum && k < 400) {
    k++;
    p *= mean / k;
    sum += p;
  }
  return k;
}

export function binomial(u: number, n: number, p: number): number {
  if (n <= 0 || p <= 0) return 0;
  if (p >= 1) return n;
  const byNormal = () =>
    Math.min(n, Math.max(0, Math.round(n * p + Math.sqrt(n * p * (1 - p)) * normalQuantile(u))));
  if (n * p > 60 && n * (1 - p) > 60) return byNormal();
  let q = (1 - p) ** n;
  if (q === 0) return byNormal();
  let sum = q;
  let k = 0;
  while (u > sum && k < n) {
    k++;
    q *= ((n - k + 1) / k) * (p / (1 - p));
    sum += q;
  }
  return k;
}
