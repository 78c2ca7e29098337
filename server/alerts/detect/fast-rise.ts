import { createChart } from "./chart.ts";
import { isJump, noteWorst, REMEMBERS_MS } from "./jump.ts";
import type { Detector } from "./types.ts";

/** The rising chart only dates the start here. */
const CAP = 10;

/**
 * A jump within the last minutes; it ends as `learnt` does.
 *
 * @see docs/how-rules-judge.md#fast-rise
 */
export function createFastRise(): Detector {
  return createChart({ cap: CAP, raises: isJump, note: noteWorst }, REMEMBERS_MS);
}
