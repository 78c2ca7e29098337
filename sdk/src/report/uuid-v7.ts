const HEX = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const RANDOM_BYTES = 10;

/** Makes UUIDs of version 7 (RFC 9562, section 5.7): they begin with a time, so they sort beside their events. */
export type MakeUuidV7 = (timeMs: number) => string;

/** @param fillRandom fills the bytes with randomness fit for ids; it is asked for many at a time */
export function createUuidV7(fillRandom: (bytes: Uint8Array) => void): MakeUuidV7 {
  const pool = new Uint8Array(RANDOM_BYTES * 128);
  let used = pool.length;
  return (timeMs) => {
    if (used === pool.length) {
      fillRandom(pool);
      used = 0;
    }
    const byte = (at: number) => pool[used + at] as number;
    const hex = (at: number) => HEX[byte(at)] as string;
    const time = toHex48(Math.max(0, Math.floor(timeMs)));
    const version = HEX[0x70 | (byte(0) & 0x0f)] as string;
    const variant = HEX[0x80 | (byte(2) & 0x3f)] as string;
    const id = `${time.slice(0, 8)}-${time.slice(8)}-${version}${hex(1)}-${variant}${hex(3)}-${hex(4)}${hex(5)}${hex(6)}${hex(7)}${hex(8)}${hex(9)}`;
    used += RANDOM_BYTES;
    return id;
  };
}

const HALF = 2 ** 24;

/** In two halves: of a number beyond 31 bits JavaScript makes digits ten times slower. */
function toHex48(value: number): string {
  const high = Math.floor(value / HALF);
  const digits = (half: number) => half.toString(16).padStart(6, "0");
  return `${digits(high)}${digits(value - high * HALF)}`.slice(-12);
}
