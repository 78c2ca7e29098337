import type { SampleProgress } from "../demo/sample.ts";
import { createProgress, type TextOutput } from "../import/progress.ts";

export interface SampleProgressShown {
  update(progress: SampleProgress): void;
  /** Takes the bar away. */
  stop(): void;
}

/** Shows how far the making of the sample has come, as an import does. */
export function showSampleProgress(out: TextOutput, now: () => number): SampleProgressShown {
  const progress = createProgress(out, now, "attempts");
  let isAddingUp = false;
  progress.say("Making eight weeks of sample traffic …");
  return {
    update({ attempts, share }) {
      if (share < 1) progress.update(attempts, share, 1);
      else if (!isAddingUp) {
        isAddingUp = true;
        progress.stop();
        progress.say(`${attempts.toLocaleString("en")} attempts made; adding them up …`);
      }
    },
    stop: () => progress.stop(),
  };
}
