/** One standard normal draw, by Box and Muller. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Exponential with this mean. */
export function exponential(random: () => number, mean: number): number {
  return -Math.log(1 - random()) * mean;
}

/** A Poisson draw: exact below 60, a rounded normal above. */
export function poisson(random: () => number, mean: number): number {
  if (mean <= 0) return 0;
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const least = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > least; product *= random()) count++;
  return count;
}

/** How many of n trials of this probability succeed; exact. */
export function binomial(random: () => number, n: number, probability: number): number {
  let count = 0;
  for (let i = 0; i < n; i++) if (random() < probability) count++;
  return count;
}
