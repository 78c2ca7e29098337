const MAX_REMEMBERED = 20_000;

/** Counts failures by name, within a stretch of time that begins with the first one. */
export interface AttemptLimit {
  /** Milliseconds until another attempt is taken; 0: now. */
  waitMs(name: string): number;
  fail(name: string): void;
  /** Takes one failure back. */
  undo(name: string): void;
  forget(name: string): void;
}

/**
 * @param most failures within `withinMs`, after which nothing is taken until that time is over
 */
export function createAttemptLimit(
  { most, withinMs }: { most: number; withinMs: number },
  now: () => number,
): AttemptLimit {
  const failures = new Map<string, { count: number; readonly untilMs: number }>();
  const find = (name: string) => {
    const found = failures.get(name);
    if (found === undefined || found.untilMs > now()) return found;
    failures.delete(name);
    return undefined;
  };
  return {
    waitMs(name) {
      const found = find(name);
      return found === undefined || found.count < most ? 0 : found.untilMs - now();
    },
    fail(name) {
      const found = find(name);
      if (found !== undefined) found.count++;
      else {
        if (failures.size >= MAX_REMEMBERED) dropOldest(failures);
        failures.set(name, { count: 1, untilMs: now() + withinMs });
      }
    },
    undo(name) {
      const found = find(name);
      if (found !== undefined) found.count--;
    },
    forget(name) {
      failures.delete(name);
    },
  };
}

/** The first tenth: a map keeps the order in which its names came. */
function dropOldest(failures: Map<string, unknown>): void {
  let left = Math.ceil(failures.size / 10);
  for (const name of failures.keys()) {
    if (left-- <= 0) return;
    failures.delete(name);
  }
}
