import type { Way, World } from "./ways.ts";

const BASE_MS = 1_000;
/**
 * Ten minutes, where clients have a minute at the most: with less, all at once makes ten times as many errors, and takes
 * long to play.
 */
const CAP_MS = 600_000;

/** A job, with retries until it is done: exponential backoff with full jitter. */
function persist({ time, provider }: World, onDone: () => void, failures = 0): void {
  provider.start((isOk) => {
    if (isOk) {
      onDone();
      return;
    }
    const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(failures, 20));
    const afterMs = time.random() * ceiling;
    time.at(time.elapsed() + afterMs, () => persist({ time, provider } as World, onDone, failures + 1));
  });
}

const nothing = { end: async () => {} };

/** All at once, when they are handed over. */
export const atOnce: Way = {
  name: "all at once",
  begin(world, onDone) {
    for (let job = 0; job < world.jobs; job++) persist(world, () => onDone(job));
    return nothing;
  },
};

/** So many at a time, from when they are handed over. */
export function fixed(atATime: number): Way {
  return {
    name: `${atATime} at a time`,
    begin(world, onDone) {
      let next = 0;
      const goOn = () => {
        const job = next++;
        if (job >= world.jobs) return;
        persist(world, () => {
          onDone(job);
          goOn();
        });
      };
      for (let slot = 0; slot < atATime; slot++) goOn();
      return nothing;
    },
  };
}
