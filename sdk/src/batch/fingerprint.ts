/**
 * 64 bits of a value's JSON as hexadecimal digits: enough to notice that an item is not the one it was, not to keep
 * anybody from forging it. What has no JSON is told by its type.
 */
export function fingerprint(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ (code + at), 0x85ebca6b);
    high = (high << 13) | (high >>> 19);
  }
  return toHex(mix(low ^ text.length)) + toHex(mix(high ^ low));
}

/** Spreads each bit over all. */
function mix(bits: number): number {
  let mixed = bits;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const toHex = (bits: number) => bits.toString(16).padStart(8, "0");
