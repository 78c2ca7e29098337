/** Published this long ago, a plan is in force in every router that can be reached. */
export const TAKE_UP_WITHIN_MS = 15_000;
/** Three heartbeats: one that is silent for longer is not there, or cannot reach us. */
export const SILENT_AFTER_MS = 45_000;

export type TakeUp = "current" | "pending" | "behind" | "silent";

export interface SeenRouter {
  /** In force there; `null`: the chain in code. */
  readonly planVersion: number | null;
  readonly lastSeenMs: number;
}

/**
 * Whether a router runs the published plan.
 *
 * @param published `null`: nothing was published, so that each runs what it should
 */
export function judgeTakeUp(
  { planVersion, lastSeenMs }: SeenRouter,
  published: { readonly version: number; readonly publishedMs: number } | null,
  nowMs: number,
): TakeUp {
  if (nowMs - lastSeenMs > SILENT_AFTER_MS) return "silent";
  if (published === null || planVersion === published.version) return "current";
  return nowMs - published.publishedMs < TAKE_UP_WITHIN_MS ? "pending" : "behind";
}
