/**
 * What plain ordered fallback had on an ordinary day when the world was made, over the seeds 5001–5020. A world that
 * gives it something else is another one.
 */
export const PUBLISHED = { success: 0.9999, firstShare: 0.8084, firstTierShare: 0.9741 };
export const PUBLISHED_SEEDS = Array.from({ length: 20 }, (_, i) => 5_001 + i);

/** What the first model of such a router lost against plain fallback on a harsh day: seconds, points of quality. */
export const MODEL_LOSES = { p95S: 5.1, quality: 2.2 };
