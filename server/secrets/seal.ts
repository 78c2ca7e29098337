import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** A key and the name by which what it encrypted knows it. The name says nothing of the key. */
export interface SecretKey {
  /** 16 hexadecimal digits. */
  readonly id: string;
  readonly bytes: Buffer;
}

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 8;

/** The key of a text of at least 32 random characters (HKDF-SHA-256, RFC 5869): no password, which would be guessed. */
export function deriveKey(text: string): SecretKey {
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync("sha256", text, "busyhour", purpose, length));
  return { id: derive("key id", ID_BYTES).toString("hex"), bytes: derive("secrets at rest", KEY_BYTES) };
}

/**
 * Encrypts and authenticates (AES-256-GCM, NIST SP 800-38D) with a nonce of its own. The nonce is random: a key is good
 * for 2³² secrets, more than anybody has.
 *
 * @param place what the secret belongs to: it opens nowhere else
 * @returns nonce, cipher text and tag
 */
export function seal(key: SecretKey, place: string, plain: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place));
  return Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** @returns `null` when it was changed, belongs to another place, or was sealed with another key */
export function open(key: SecretKey, place: string, sealed: Buffer): string | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  try {
    const plain = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
    return Buffer.concat([plain, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
