import type { Chain, RouterOptions, RunOptions } from "../router/types.ts";

/** What a wrapped client may be told of how its calls are routed. */
export type RouteOptions<Output = unknown> = Omit<RunOptions<Output, unknown>, "signal">;

/** A router's options, but for what the wrapper knows itself. */
export interface WrapOptions<Output, Chunk>
  extends Omit<RouterOptions<never, Output, Chunk>, "providers" | "isContent"> {
  /**
   * What the model that a call names does, where it is the id, tier or model of a target: `start` (default) begins there
   * and falls back to what follows, `pin` asks that one alone. Naming the chain's first one is asking the chain.
   */
  readonly named?: "start" | "pin";
}

/** The name that stands for the whole chain. */
export const AUTO = "auto";

/**
 * Where a call begins by the model that it names.
 *
 * @returns `null` when the chain has no such target
 */
export function readNamedModel(
  model: unknown,
  { targets }: Chain,
  named: "start" | "pin",
): Pick<RunOptions<never>, "startAt" | "pin"> | null {
  if (model === undefined || model === AUTO) return {};
  const target =
    targets.find(({ id }) => id === model) ??
    targets.find(({ tier }) => tier === model) ??
    targets.find((one) => one.model === model);
  if (target === undefined) return null;
  if (named === "pin") return { pin: target.id };
  return target === targets[0] ? {} : { startAt: target.id };
}

/** Time of one request where nobody says it: what clients give a call, since code that is there already counts on it. */
export const CLIENT_DEADLINE_MS = 600_000;
