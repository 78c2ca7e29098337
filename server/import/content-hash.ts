/** Two 32-bit halves of a hash, written into `into`, which spares an allocation per row. */
export type HashPair = Uint32Array;

/**
 * 64 bits of a text: two multiplicative hashes with different primes, each stirred at the end (as in cyrb53 and
 * MurmurHash3). Fast and well spread, but no match for somebody who seeks collisions.
 */
export function hashContent(text: string, into: HashPair): void {
  let left = 0xdeadbeef;
  let right = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    left = Math.imul(left ^ code, 2654435761);
    right = Math.imul(right ^ code, 1597334677);
  }
  left = Math.imul(left ^ (left >>> 16), 2246822507) ^ Math.imul(right ^ (right >>> 13), 3266489909);
  right = Math.imul(right ^ (right >>> 16), 2246822507) ^ Math.imul(left ^ (left >>> 13), 3266489909);
  into[0] = left;
  into[1] = right;
}
