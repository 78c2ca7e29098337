import { adviseTarget } from "../../../server/advice/advise-target.ts";
import { createHistories } from "../../../server/advice/target-history.ts";
import { createWall, toDayHours } from "../../../server/profile/day-hours.ts";
import { createRandom, judge } from "./numbers.ts";

const MODELS = 100;
const DAYS = 56;
const QUARTER_MS = 900_000;
const MOST_SECONDS = 10;

/** CPU of advice for 100 models with eight weeks of quarter-hours each, from counts to verdicts. */
export function measureCost(): void {
  const random = createRandom(1);
  const startMs = Date.UTC(2026, 5, 1);
  const counted = Array.from({ length: MODELS }, (_, i) => ({
    provider: "acme",
    model: `model-${i >> 1}`,
    endpoint: String(i),
    quarters: Array.from({ length: DAYS * 96 }, (_, at) => {
      const n = 1 + Math.floor(20 * random());
      const share = (at / 4) % 24 > 12 ? 0.2 * random() : 0.03 * random();
      return { startMs: startMs + at * QUARTER_MS, n, k: Math.round(n * share) };
    }),
  }));
  const before = process.cpuUsage();
  const wall = createWall("Europe/Berlin");
  const histories = createHistories(
    counted.map(({ quarters, ...name }) => ({ ...name, hours: toDayHours(quarters, wall) })),
  );
  const endDay = Math.floor(startMs / 86_400_000) + DAYS;
  const verdicts = histories.map(
    (history) => adviseTarget(history, endDay, { lengthHours: 3, allowed: () => true }).verdict,
  );
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  console.log(
    `advice for ${MODELS} targets × 8 weeks (${verdicts.filter((v) => v === "advise").length} advised): ` +
      `${seconds.toFixed(2)} s of CPU   ${judge(seconds < MOST_SECONDS, `< ${MOST_SECONDS} s`)}`,
  );
}
