/** Who of several submitters is next: those that were served least. One that was away gets no more than its turn. */
export interface Turns {
  /** Submitters in the order of their turns. */
  order(submitters: readonly string[]): Map<string, number>;
  /** What each was given. */
  served(counts: ReadonlyMap<string, number>, present: readonly string[]): void;
  /** How many of the next `count` jobs are to be the oldest there are. */
  oldestOf(count: number): number;
}

/** One in so many. */
const OLDEST_EVERY = 8;

export function createTurns(): Turns {
  const given = new Map<string, number>();
  let total = 0;
  return {
    order(submitters) {
      const distinct = [...new Set(submitters)].sort();
      const least = given.size === 0 ? 0 : Math.min(...given.values());
      for (const submitter of distinct) if (!given.has(submitter)) given.set(submitter, least);
      distinct.sort((a, b) => (given.get(a) ?? 0) - (given.get(b) ?? 0));
      return new Map(distinct.map((submitter, turn) => [submitter, turn]));
    },
    served(counts, present) {
      for (const [submitter, count] of counts) {
        total += count;
        given.set(submitter, (given.get(submitter) ?? 0) + count);
      }
      // Who got nothing had nothing: what it did not take is not owed to it.
      const least = Math.min(...[...counts.keys()].map((submitter) => given.get(submitter) ?? 0));
      if (Number.isFinite(least))
        for (const submitter of present)
          if (!counts.has(submitter)) given.set(submitter, Math.max(given.get(submitter) ?? 0, least - 1));
      const here = new Set(present);
      for (const submitter of given.keys()) if (!here.has(submitter)) given.delete(submitter);
    },
    oldestOf: (count) => Math.floor((total + count) / OLDEST_EVERY) - Math.floor(total / OLDEST_EVERY),
  };
}
