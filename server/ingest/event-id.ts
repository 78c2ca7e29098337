import { hash, randomFillSync } from "node:crypto";
import { createUuidV7 } from "@busyhour/sdk";

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

/** A UUIDv7 for an event that came without an id: it begins with the event's own time, so it sorts beside it. */
export const uuidV7 = createUuidV7((bytes) => void randomFillSync(bytes));
