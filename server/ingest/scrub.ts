import { cleanCharacters, scrubText } from "@busyhour/sdk";

export { cleanCharacters, MAX_TEXT_LENGTH, scrubText } from "@busyhour/sdk";

/** A model name is 24 characters of letters and digits often enough, so labels lose only what surely is a key. */
const KEY_IN_LABEL =
  /-----BEGIN|\beyJ[\w-]{8,}\.|\b(?:sk|bh[ira]|gsk|AIza|ghp|AKIA)[-_]?[\w-]{16,}|[\w.+-]+@[\w-]+\.\w+/;

/**
 * A label (model, source, endpoint, account …) fit to be stored: no control characters, trimmed, a URL cut down
 * to host and path, and scrubbed like a text when it holds a key or a mail address.
 */
export function cleanLabel(label: string): string {
  const known = cleaned.get(label);
  if (known !== undefined) return known;
  let clean = cleanCharacters(label).trim();
  if (clean.includes("://")) clean = clean.replace(/^[a-z+]+:\/\/(?:[^/@]*@)?/i, "").replace(/[?#].*$/, "");
  if (KEY_IN_LABEL.test(clean)) clean = scrubText(clean, 100);
  if (cleaned.size >= MAX_CLEANED) cleaned.clear();
  cleaned.set(label, clean);
  return clean;
}

/** The same few labels come with every event, so each is cleaned once. */
const cleaned = new Map<string, string>();
const MAX_CLEANED = 10_000;
