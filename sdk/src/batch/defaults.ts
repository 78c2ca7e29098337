import { MOST } from "../router/parts/limiter.ts";

const DEFAULTS = {
  concurrency: MOST,
  maxAttempts: 5,
  maxFailuresInARow: 20,
  patienceMs: 86_400_000,
  graceMs: 10_000,
};

export type BatchDefaults = typeof DEFAULTS;

/** What a batch goes by, where its caller says nothing else. */
export function defaultsOf(options: { readonly [Name in keyof BatchDefaults]?: number }): BatchDefaults {
  const given = Object.keys(DEFAULTS).flatMap((key) => {
    const value = options[key as keyof BatchDefaults];
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}
