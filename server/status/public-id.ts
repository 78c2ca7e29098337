import { randomInt } from "node:crypto";

const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

/** Twelve random characters that strangers may see: no number of ours, and nobody's name. */
export function newPublicId(): string {
  return Array.from({ length: 12 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}
