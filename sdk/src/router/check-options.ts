import type { Chain, Target } from "./types.ts";

interface GivenOptions {
  readonly chain: Chain;
  readonly providers: Readonly<Record<string, unknown>>;
  readonly deadlineMs?: number | undefined;
}

export const DEADLINE_RULE = "must be a number of milliseconds above 0";
export const isDeadline = (ms: unknown) => typeof ms === "number" && ms > 0;

/** Least value of each setting of retries. */
const LEAST = { maxAttempts: 1, baseMs: 0, capMs: 0, totalWaitMs: 0 } as const;

/**
 * Tells what is wrong with a router's options before the first request does.
 *
 * @throws {TypeError} with all faults at once
 */
export function checkOptions({ chain, providers, deadlineMs }: GivenOptions): void {
  const faults = [...findChainFaults(chain?.targets, chain?.floor, Object.keys(providers ?? {}))];
  if (deadlineMs !== undefined && !isDeadline(deadlineMs)) faults.push(`deadlineMs ${DEADLINE_RULE}`);
  for (const [name, least] of Object.entries(LEAST)) {
    const value: unknown = chain?.retry?.[name as keyof typeof LEAST];
    if (value !== undefined && !(typeof value === "number" && value >= least))
      faults.push(`chain.retry.${name} must be a number, ${least} at least`);
  }
  for (const [name, provider] of Object.entries(providers ?? {})) {
    const { run, stream } = (provider ?? {}) as { run?: unknown; stream?: unknown };
    const functions = [provider, run, stream];
    if (!functions.some((one) => typeof one === "function"))
      faults.push(`providers.${name} must be a function, or have run or stream`);
  }
  if (faults.length > 0) throw new TypeError(`createRouter: ${faults.join("; ")}`);
}

function* findChainFaults(
  targets: readonly Target[] | undefined,
  floor: string | undefined,
  known: readonly string[],
): Generator<string> {
  if (!Array.isArray(targets) || targets.length === 0) {
    yield "chain.targets must hold at least one target { id, provider, model }";
    return;
  }
  const ids = new Set<string>();
  for (const [at, target] of targets.entries()) {
    const { id, provider, model } = target ?? {};
    for (const [key, value] of Object.entries({ id, provider, model })) {
      if (typeof value !== "string" || value === "") yield `chain.targets[${at}].${key} must be a text`;
    }
    if (ids.has(id)) yield `chain.targets[${at}].id is “${id}”, which another target has already`;
    ids.add(id);
    if (typeof provider === "string" && !known.includes(provider))
      yield `chain.targets[${at}].provider is “${provider}”, but providers has only ${known.join(", ") || "nothing"}`;
  }
  if (floor !== undefined && !targets.some(({ id, tier }) => floor === id || floor === tier))
    yield `chain.floor is “${floor}”, which is neither the id nor the tier of a target`;
}
