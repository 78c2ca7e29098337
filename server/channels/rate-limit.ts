/** A token bucket: so many at once, and so many a minute in the long run. */
export interface RateLimit {
  readonly burst: number;
  readonly perMinute: number;
}

/** What was left of it, and when. `null`: it was never used. */
export interface Bucket {
  readonly tokens: number | null;
  readonly atMs: number | null;
}

const MINUTE_MS = 60_000;

/** Tokens that are there now. A clock that was set back gives none, and takes none. */
export function refill({ tokens, atMs }: Bucket, { burst, perMinute }: RateLimit, nowMs: number): number {
  if (tokens === null || atMs === null) return burst;
  const elapsedMs = Math.max(0, nowMs - atMs);
  return Math.min(burst, tokens + (elapsedMs / MINUTE_MS) * perMinute);
}

/** Until when one has to wait for a token. */
export function waitMs(tokens: number, { perMinute }: RateLimit): number {
  return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / perMinute) * MINUTE_MS);
}

/** More than so many messages at once nobody reads one by one. */
const READABLE = 10;

/**
 * How many waiting messages are sent one by one; when more wait, one message sums them up. As many as the limit lets
 * through within a minute, and not more than people read.
 */
export function roomFor(tokens: number, { perMinute }: RateLimit): number {
  return Math.max(1, Math.min(READABLE, Math.floor(tokens + perMinute)));
}
