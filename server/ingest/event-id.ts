import { hash, randomFillSync } from "node:crypto";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The id as it is stored: a UUID stays itself (lower case), anything else becomes a UUIDv8 made of its SHA-256,
 * so that the same words always give the same id.
 */
export function toUuid(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : deriveUuid(id);
}

/** A UUIDv8 (RFC 9562, section 5.8) from the first 128 bits of the SHA-256 of the content. */
export function deriveUuid(content: string): string {
  const hex = hash("sha256", content, "hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const RANDOM_DIGITS = 20;
const POOLED_IDS = 512;
const pool = Buffer.alloc((POOLED_IDS * RANDOM_DIGITS) / 2);
/** Made for many ids at once: that is several times faster than for one. */
let digits = "";
let used = 0;

/** A UUIDv7 for an event that came without an id: it begins with the event's own time, so it sorts beside it. */
export function uuidV7(timeMs: number): string {
  if (used === digits.length) {
    digits = randomFillSync(pool).toString("hex");
    used = 0;
  }
  const random = digits.slice(used, used + RANDOM_DIGITS);
  used += RANDOM_DIGITS;
  const time = toHex48(Math.max(0, Math.floor(timeMs)));
  const variant = "89ab"[Number.parseInt(random.charAt(0), 16) & 3];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

const HALF = 2 ** 24;

/** In two halves: of a number beyond 31 bits JavaScript makes digits ten times slower. */
function toHex48(value: number): string {
  const high = Math.floor(value / HALF);
  const digits = (half: number) => half.toString(16).padStart(6, "0");
  return `${digits(high)}${digits(value - high * HALF)}`.slice(-12);
}
