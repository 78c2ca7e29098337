import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** SHA-256 of a secret. Enough for 32 random bytes, which nobody can guess; never use it for passwords. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** 32 random bytes as text that is safe in a URL, a header and a shell. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Compares in a time that says nothing about where two secrets differ. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hashSecret(given), hashSecret(expected));
}
