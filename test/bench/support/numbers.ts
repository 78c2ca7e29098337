/** The middle value; of an even number of values the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const ascending = [...values].sort((a, b) => a - b);
  const middle = ascending.length >> 1;
  const upper = ascending[middle] ?? Number.NaN;
  return ascending.length % 2 === 1 ? upper : ((ascending[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The smallest value that at least the share `q` of all values does not pass. */
export function quantile(values: readonly number[], q: number): number {
  const ascending = [...values].sort((a, b) => a - b);
  return ascending[Math.max(0, Math.ceil(q * ascending.length) - 1)] ?? Number.NaN;
}

/** Numbers from 0 to 1, always the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `--name 3` of the command line, else the fallback. */
export function readNumber(args: readonly string[], name: string, fallback: number): number {
  const at = args.indexOf(`--${name}`);
  if (at < 0) return fallback;
  const value = Number(args[at + 1]?.replaceAll("_", ""));
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number above 0`);
  return value;
}

export function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** What was measured beside what is wanted, and whether that is met. */
export function judge(isMet: boolean, target: string): string {
  return `${target.padEnd(9)} ${isMet ? "met" : "MISSED"}`;
}
