import { expect, test } from "vitest";
import { showSampleProgress } from "./sample-progress.ts";

test("the making of the sample is shown while it goes on, and then that it is being added up, once", () => {
  const written: string[] = [];
  let nowMs = 0;
  const shown = showSampleProgress({ write: (text) => written.push(text) }, () => nowMs);
  for (const share of [0, 0.25, 0.5, 1, 1]) {
    shown.update({ attempts: share * 400_000, share });
    nowMs += 3_000;
  }
  shown.stop();
  expect(written.join("")).toBe(
    "Making eight weeks of sample traffic …\n" +
      "  200,000 attempts  33,333/s  50 %  0:06 left\n" +
      "400,000 attempts made; adding them up …\n",
  );
});
