/** A stream of whole numbers in [0, 2^32), the same for the same keys on every machine. */
export type Random = () => number;

/**
 * A stream of its own for these keys: sfc32, seeded by a hash of them.
 *
 * Streams of different keys are independent, so what one hour or one flow draws never shifts another.
 */
export function createRandom(...keys: readonly (number | string)[]): Random {
  let a = hashKeys(keys, 0x9e3779b9);
  let b = hashKeys(keys, 0x243f6a88);
  let c = hashKeys(keys, 0xb7e15162);
  let counter = 1;
  const random = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) random();
  return random;
}

/** FNV-1a over the keys' characters and words, finished as in MurmurHash3 so that near keys end far apart. */
function hashKeys(keys: readonly (number | string)[], basis: number): number {
  let hash = basis | 0;
  for (const key of keys) {
    if (typeof key === "string") {
      for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
    } else {
      hash = Math.imul(hash ^ Math.floor(key / 2 ** 32), 0x85ebca6b);
      hash = Math.imul(hash ^ (key | 0) ^ (hash >>> 15), 0xc2b2ae35);
    }
    hash = Math.imul(hash ^ 0xff, 0x01000193) ^ (hash >>> 13);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A number in [0, 1). */
export function drawUnit(random: Random): number {
  return random() / 2 ** 32;
}

/** A number in [from, to). */
export function drawBetween(random: Random, from: number, to: number): number {
  return from + (to - from) * drawUnit(random);
}

export function drawChance(random: Random, share: number): boolean {
  return drawUnit(random) < share;
}

/** A log-normal number whose median is `median`; `sigma` is that of its natural logarithm. */
export function drawLogNormal(random: Random, median: number, sigma: number): number {
  return median * Math.exp(sigma * drawNormal(random));
}

/** A log-normal factor with mean 1, to make a rate restless without changing what it is on average. */
export function drawNoise(random: Random, sigma: number): number {
  return drawLogNormal(random, Math.exp(-(sigma * sigma) / 2), sigma);
}

/** How many of something rare: Poisson, by Knuth's product; above a mean of 30 by its normal neighbour. */
export function drawPoisson(random: Random, mean: number): number {
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * drawNormal(random)));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = drawUnit(random); product > limit; product *= drawUnit(random)) count++;
  return count;
}

/** Box and Muller's first value. */
function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - drawUnit(random)));
  return radius * Math.cos(2 * Math.PI * drawUnit(random));
}

/** A UUIDv7 whose random part comes from the stream: it sorts by its time, and is the same again next time. */
export function drawUuid(random: Random, timeMs: number): string {
  const time = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, "0");
  const high = random();
  const version = (0x7000 | (high & 0x0fff)).toString(16);
  const variant = (0x8000 | ((high >>> 12) & 0x3fff)).toString(16);
  const tail = toHex(random(), 8) + toHex(random() & 0xffff, 4);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${tail}`;
}

function toHex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
